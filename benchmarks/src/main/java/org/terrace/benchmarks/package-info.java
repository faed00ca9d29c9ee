/** Head-to-heads against peers, and micro-benchmarks. */
@org.jspecify.annotations.NullMarked
package org.terrace.benchmarks;
