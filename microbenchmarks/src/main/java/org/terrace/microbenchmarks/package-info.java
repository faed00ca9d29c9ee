/** The inner loops under JMH, and the comparison of two commits by them. */
@org.jspecify.annotations.NullMarked
package org.terrace.microbenchmarks;
