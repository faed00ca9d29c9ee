package org.terrace.wire.points;

import java.util.Arrays;

/**
 * The packets that two captures share, in the order of the first: when each saw them, and which way
 * they went. Confined to one thread while it is filled.
 */
final class SharedPackets {
  private final long[] numbers;
  private final long[] timesNanos;
  private final long[] otherTimesNanos;
  private final long[] hosts;
  private final boolean[] fromLesser;

  SharedPackets(int size) {
    numbers = new long[size];
    timesNanos = new long[size];
    otherTimesNanos = new long[size];
    hosts = new long[size];
    fromLesser = new boolean[size];
  }

  void set(
      int at, long number, long timeNanos, long otherNanos, long hostPair, boolean lesserSends) {
    numbers[at] = number;
    timesNanos[at] = timeNanos;
    otherTimesNanos[at] = otherNanos;
    hosts[at] = hostPair;
    fromLesser[at] = lesserSends;
  }

  int size() {
    return numbers.length;
  }

  /** The number of the packet in the first capture. */
  long number(int at) {
    return numbers[at];
  }

  /** The time at which the first capture saw it, by its own clock. */
  long timeNanos(int at) {
    return timesNanos[at];
  }

  /** The time at which the second saw it less that at which the first did, each by its clock. */
  long leadNanos(int at) {
    return otherTimesNanos[at] - timesNanos[at];
  }

  /** Whether there are some, and both captures have the same time for each. */
  boolean isSimultaneous() {
    return size() > 0 && Arrays.equals(timesNanos, otherTimesNanos);
  }

  /** The two hosts between which it went. */
  long hosts(int at) {
    return hosts[at];
  }

  /** Whether the lesser host sent it. */
  boolean fromLesser(int at) {
    return fromLesser[at];
  }
}
