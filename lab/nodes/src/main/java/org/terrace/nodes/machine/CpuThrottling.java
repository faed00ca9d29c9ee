package org.terrace.nodes.machine;

/**
 * The count of times that the kernel held back a control group because its processor time was used
 * up, since the group was made. Immutable.
 *
 * @param periods periods in which the group wanted to run
 * @param throttledPeriods those in which it was held back
 * @param throttledNanos the time it was held back, added up over its processors
 */
public record CpuThrottling(long periods, long throttledPeriods, long throttledNanos) {}
