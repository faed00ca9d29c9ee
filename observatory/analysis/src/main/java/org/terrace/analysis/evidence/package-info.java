/**
 * The evidence that packets give of hosts and of the capture itself, beside the requests in them.
 */
package org.terrace.analysis.evidence;
