/** Parents of calls, by when calls begin and end at their caller. */
package org.terrace.tracing.stitch;
