/** The calls to which stitching gives parents, those of them that are right, and its cost. */
@org.jspecify.annotations.NullMarked
package org.terrace.benchmarks.stitch;
