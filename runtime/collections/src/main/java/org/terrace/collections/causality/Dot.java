package org.terrace.collections.causality;

/** One update of one writer. Immutable. */
public record Dot(long writer, long sequence) {}
