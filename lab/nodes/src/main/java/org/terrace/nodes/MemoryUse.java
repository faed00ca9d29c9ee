package org.terrace.nodes;

/**
 * The memory of a server's control group at a moment. Immutable.
 *
 * @param keptBytes what the kernel cannot take back: all but pages of files
 * @param cacheBytes pages of files, which it takes back where memory is short
 * @param majorFaults how often a page had to be read from storage, since the group was made
 */
public record MemoryUse(long keptBytes, long cacheBytes, long majorFaults) {}
