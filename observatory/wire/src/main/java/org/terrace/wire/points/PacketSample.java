package org.terrace.wire.points;

import java.util.Arrays;
import org.terrace.wire.bytes.Bytes;

/**
 * A sample of a capture's packets, by which those of another capture are known again. A packet is
 * in the sample if its identity says so, which is the same at every point; one that does not fit
 * any more halves the sample. A place in a stream that was sent twice stays in it, marked, so that
 * neither transmission is taken for the other. Confined to one thread.
 */
final class PacketSample {
  /** Copies of one packet in one capture come at most this far apart. */
  private static final long COPY_NANOS_MAX = 1_000_000;

  private static final long SAMPLING = 0x5eed;
  private static final int FROM_LESSER = 1;
  private static final int AMBIGUOUS = 2;

  private final int entriesMax;
  private int level;
  private int size;
  private long[] identities;
  private long[] contents;
  private long[] hosts;
  private long[] timesNanos;
  private long[] numbers;
  private byte[] flags;

  /** An empty sample of at most so many packets. */
  PacketSample(int entriesMax) {
    this.entriesMax = entriesMax;
    allocate(256);
  }

  private void allocate(int capacity) {
    identities = new long[capacity];
    contents = new long[capacity];
    hosts = new long[capacity];
    timesNanos = new long[capacity];
    numbers = new long[capacity];
    flags = new byte[capacity];
  }

  /** Takes a packet in, if its identity says so. */
  void add(PacketMark mark, long number, long timeNanos) {
    long identity = mark.identity();
    if (identity == 0 || !isSampled(identity, level)) {
      return;
    }
    int at = find(identity);
    if (identities[at] == identity) {
      boolean copy =
          contents[at] == mark.content() && Math.abs(timeNanos - timesNanos[at]) < COPY_NANOS_MAX;
      if (!copy) {
        flags[at] |= AMBIGUOUS;
      }
      return;
    }
    identities[at] = identity;
    contents[at] = mark.content();
    hosts[at] = mark.hosts();
    timesNanos[at] = timeNanos;
    numbers[at] = number;
    flags[at] = (byte) (mark.fromLesser() ? FROM_LESSER : 0);
    size++;
    while (size >= entriesMax) {
      level++;
      rebuild(identities.length);
    }
    if (size * 2 >= identities.length) {
      rebuild(identities.length * 2);
    }
  }

  /** Whether a packet is in samples of a level, which hold one of {@code 2^level} packets. */
  static boolean isSampled(long identity, int level) {
    return level == 0 || Bytes.mix(identity ^ SAMPLING) >>> (64 - level) == 0;
  }

  private void rebuild(int capacity) {
    long[] oldIdentities = identities;
    long[] oldContents = contents;
    long[] oldHosts = hosts;
    long[] oldTimesNanos = timesNanos;
    long[] oldNumbers = numbers;
    byte[] oldFlags = flags;
    allocate(capacity);
    size = 0;
    for (int i = 0; i < oldIdentities.length; i++) {
      if (oldIdentities[i] != 0 && isSampled(oldIdentities[i], level)) {
        int at = find(oldIdentities[i]);
        identities[at] = oldIdentities[i];
        contents[at] = oldContents[i];
        hosts[at] = oldHosts[i];
        timesNanos[at] = oldTimesNanos[i];
        numbers[at] = oldNumbers[i];
        flags[at] = oldFlags[i];
        size++;
      }
    }
  }

  private int find(long identity) {
    int mask = identities.length - 1;
    int at = (int) identity & mask;
    while (identities[at] != 0 && identities[at] != identity) {
      at = at + 1 & mask;
    }
    return at;
  }

  /** Its packets now. */
  int size() {
    return size;
  }

  /** The level: one of {@code 2^level} packets is in it. */
  int level() {
    return level;
  }

  /**
   * The packets that another sample holds too, in the order of this one's capture; those that
   * either holds twice are left out.
   *
   * @param clock converts the times of the other
   */
  SharedPackets sharedWith(PacketSample other, PieceClock clock) {
    int common = Math.max(level, other.level);
    int[] own = new int[Math.min(size, other.size)];
    int[] theirs = new int[own.length];
    long[] order = new long[own.length];
    int shared = 0;
    for (int i = 0; i < identities.length; i++) {
      if (identities[i] != 0 && isSampled(identities[i], common) && !isAmbiguous(i)) {
        int at = other.find(identities[i]);
        if (other.identities[at] == identities[i]
            && !other.isAmbiguous(at)
            && other.contents[at] == contents[i]) {
          own[shared] = i;
          theirs[shared] = at;
          order[shared++] = numbers[i];
        }
      }
    }
    long[] sorted = Arrays.copyOf(order, shared);
    Arrays.sort(sorted);
    SharedPackets packets = new SharedPackets(shared);
    for (int i = 0; i < shared; i++) {
      int at = Arrays.binarySearch(sorted, order[i]);
      int there = theirs[i];
      packets.set(
          at,
          order[i],
          timesNanos[own[i]],
          clock.timeNanos(other.numbers[there], other.timesNanos[there]),
          hosts[own[i]],
          (flags[own[i]] & FROM_LESSER) != 0);
    }
    return packets;
  }

  private boolean isAmbiguous(int at) {
    return (flags[at] & AMBIGUOUS) != 0;
  }
}
