/** Terrace and its peers behind one interface; each class needs its peer's library alone. */
@org.jspecify.annotations.NullMarked
package org.terrace.benchmarks.collections.peers;
