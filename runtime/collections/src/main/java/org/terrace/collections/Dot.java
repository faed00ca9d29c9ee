package org.terrace.collections;

/** One update of one writer. Immutable. */
record Dot(long writer, long sequence) {}
