/**
 * Reads what JVMs and databases write of themselves, and Prometheus of both, into events and
 * samples.
 */
package org.terrace.evidence;
