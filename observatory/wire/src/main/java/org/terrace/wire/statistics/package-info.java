/** What was read from a capture, and what was lost. */
package org.terrace.wire.statistics;
