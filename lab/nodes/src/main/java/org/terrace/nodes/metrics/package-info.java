/** Metrics in Prometheus's text format, and the choice of those that are kept. */
package org.terrace.nodes.metrics;
