/** Metrics of the runtime's parts, and the two ways on which monitoring systems read them. */
package org.terrace.metrics;
