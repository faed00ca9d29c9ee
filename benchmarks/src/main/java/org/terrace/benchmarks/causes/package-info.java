/** The causes that an analysis names, where it is known what held up each server. */
@org.jspecify.annotations.NullMarked
package org.terrace.benchmarks.causes;
