package org.terrace.recovery.log;

/**
 * An entry of a log.
 *
 * @param index its place, counted from 1 without gaps
 * @param position what its writer calls it; positions may skip, and neighbours may be swapped
 * @param payload what it says; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record LogRecord(long index, long position, byte[] payload) {}
