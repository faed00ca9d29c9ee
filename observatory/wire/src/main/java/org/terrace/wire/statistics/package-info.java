/** Counts of what was read from a capture and of what was lost. */
package org.terrace.wire.statistics;
