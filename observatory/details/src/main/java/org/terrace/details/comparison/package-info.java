/**
 * The comparison of two sets of results: is the second worse than the first? Intervals come from
 * repeats, never from within one run, whose requests are not independent of each other.
 */
@org.jspecify.annotations.NullMarked
package org.terrace.details.comparison;
