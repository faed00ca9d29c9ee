package org.terrace.hosts.clock;

import java.util.regex.Pattern;

/**
 * The distance between a host's clock and this machine's, from round trips: the host read its clock
 * at some moment of each, so that half the least round trip bounds the error whatever the delays
 * were (David L. Mills, <i>Internet Time Synchronization</i>, IEEE Transactions on Communications
 * 39(10), 1991). Immutable.
 *
 * @param offsetNanos what has to be added to the host's times for this machine's
 * @param errorNanos the most by which that may be off, while the clocks go equally fast
 * @param readings the round trips
 * @param disagreementNanos the most by which a reading's interval missed that of the best one:
 *     above zero if a clock was set or drifts
 */
public record ClockOffset(long offsetNanos, long errorNanos, int readings, long disagreementNanos) {
  /** The offset of hosts on one machine, which have one clock. */
  public static final ClockOffset SAME_CLOCK = new ClockOffset(0, 0, 0, 0);

  /** A moment as servers print it: nanoseconds since the Unix epoch, of this century. */
  private static final Pattern MOMENT = Pattern.compile("(?<=^| )[1-4]\\d{18}(?= |$)");

  /** A line of a host with the moments in it as this machine's clock has them. */
  public String here(String line) {
    return offsetNanos == 0
        ? line
        : MOMENT
            .matcher(line)
            .replaceAll(found -> Long.toString(here(Long.parseLong(found.group()))));
  }

  /**
   * A time of the host as this machine's clock has it, both in nanoseconds since the Unix epoch.
   */
  public long here(long timeThere) {
    return timeThere + offsetNanos;
  }
}
