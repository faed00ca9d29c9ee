package org.terrace.hosts;

/**
 * The distance between a host's clock and this machine's, from round trips: the host read its clock
 * at some moment of each, so that half the least round trip bounds the error whatever the delays
 * were (David L. Mills, <i>Internet Time Synchronization</i>, IEEE Transactions on Communications
 * 39(10), 1991). Immutable.
 *
 * @param offsetNanos what has to be added to the host's times for this machine's
 * @param errorNanos the most by which that may be off, while the clocks go equally fast
 * @param readings the round trips
 * @param disagreementNanos the most by which a reading's interval missed that of the best one
 *     beyond what two clocks of quartz go apart meanwhile: above zero if a clock was set
 */
public record ClockOffset(long offsetNanos, long errorNanos, int readings, long disagreementNanos) {
  /** The offset of hosts on one machine, which have one clock. */
  public static final ClockOffset SAME_CLOCK = new ClockOffset(0, 0, 0, 0);
}
