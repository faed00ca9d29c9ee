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

  /**
   * An entry begins with its identity; its numbers lie together, which takes few reads of memory.
   */
  private static final int CONTENT = 1;

  private static final int HOSTS = 2;
  private static final int TIME_NANOS = 3;

  /** The number of the packet, and below it the flags. */
  private static final int NUMBER = 4;

  private static final int WIDTH = 5;
  private static final int FLAG_BITS = 2;

  private final int entriesMax;
  private int level;
  private int size;
  private long[] entries = new long[256 * WIDTH];

  /** An empty sample of at most so many packets. */
  PacketSample(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  /** Takes a packet in, if its identity says so. */
  void add(PacketMark mark, long number, long timeNanos) {
    long identity = mark.identity();
    if (identity == 0 || !isSampled(identity, level)) {
      return;
    }
    int at = find(identity);
    if (entries[at] == identity) {
      boolean copy =
          entries[at + CONTENT] == mark.content()
              && Math.abs(timeNanos - entries[at + TIME_NANOS]) < COPY_NANOS_MAX;
      if (!copy) {
        entries[at + NUMBER] |= AMBIGUOUS;
      }
      return;
    }
    entries[at] = identity;
    entries[at + CONTENT] = mark.content();
    entries[at + HOSTS] = mark.hosts();
    entries[at + TIME_NANOS] = timeNanos;
    entries[at + NUMBER] = number << FLAG_BITS | (mark.fromLesser() ? FROM_LESSER : 0);
    size++;
    while (size >= entriesMax) {
      level++;
      rebuild(entries.length);
    }
    if (size * 2 >= entries.length / WIDTH) {
      rebuild(entries.length * 2);
    }
  }

  /** Whether a packet is in samples of a level, which hold one of {@code 2^level} packets. */
  static boolean isSampled(long identity, int level) {
    return level == 0 || Bytes.mix(identity ^ SAMPLING) >>> (64 - level) == 0;
  }

  private void rebuild(int length) {
    long[] old = entries;
    entries = new long[length];
    size = 0;
    for (int from = 0; from < old.length; from += WIDTH) {
      if (old[from] != 0 && isSampled(old[from], level)) {
        System.arraycopy(old, from, entries, find(old[from]), WIDTH);
        size++;
      }
    }
  }

  /** The index of an identity's entry, or of the free one in which it would be. */
  private int find(long identity) {
    int mask = entries.length / WIDTH - 1;
    int place = LongTable.place(identity, mask);
    while (entries[place * WIDTH] != 0 && entries[place * WIDTH] != identity) {
      place = place + 1 & mask;
    }
    return place * WIDTH;
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
    long[] order = new long[own.length];
    int shared = 0;
    for (int at = 0; at < entries.length; at += WIDTH) {
      if (entries[at] != 0 && isSampled(entries[at], common) && isSharedWith(other, at)) {
        own[shared] = at;
        order[shared++] = number(at);
      }
    }
    long[] sorted = Arrays.copyOf(order, shared);
    Arrays.sort(sorted);
    SharedPackets packets = new SharedPackets(shared);
    for (int i = 0; i < shared; i++) {
      int at = own[i];
      int there = other.find(entries[at]);
      packets.set(
          Arrays.binarySearch(sorted, order[i]),
          order[i],
          entries[at + TIME_NANOS],
          clock.timeNanos(other.number(there), other.entries[there + TIME_NANOS]),
          entries[at + HOSTS],
          (entries[at + NUMBER] & FROM_LESSER) != 0);
    }
    return packets;
  }

  private boolean isSharedWith(PacketSample other, int at) {
    int there = other.find(entries[at]);
    return other.entries[there] == entries[at]
        && other.entries[there + CONTENT] == entries[at + CONTENT]
        && ((entries[at + NUMBER] | other.entries[there + NUMBER]) & AMBIGUOUS) == 0;
  }

  private long number(int at) {
    return entries[at + NUMBER] >>> FLAG_BITS;
  }
}
