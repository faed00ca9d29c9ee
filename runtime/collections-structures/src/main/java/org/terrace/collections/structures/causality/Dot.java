package org.terrace.collections.structures.causality;

/** One update of one writer. Immutable. */
public record Dot(long writer, long sequence) {}
