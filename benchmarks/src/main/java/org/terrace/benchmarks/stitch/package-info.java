/** How many calls stitching gives their parents, how many of these are right, and its cost. */
@org.jspecify.annotations.NullMarked
package org.terrace.benchmarks.stitch;
