/**
 * Transient bottlenecks: a stop-the-world collector, a lagging frequency governor, and what it
 * costs to see them.
 */
package org.terrace.studies.transients;
