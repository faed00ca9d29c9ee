package org.terrace.wire.file;

import static org.terrace.wire.file.PcapngFormat.INTERFACE_TIME_OFFSET;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_TIME_RESOLUTION;
import static org.terrace.wire.file.PcapngFormat.STATISTICS_INTERFACE_DROPPED;
import static org.terrace.wire.file.PcapngFormat.STATISTICS_SYSTEM_DROPPED;

import java.util.ArrayList;
import java.util.List;

/** The interfaces of one pcapng section: how to read their packets. Confined to one thread. */
final class CaptureInterfaces {
  private static final int INTERFACES_MAX = 4096;
  private static final int MICROSECONDS = 6;
  private static final int NANOSECOND_DIGITS = 9;
  private static final int DIGITS_MAX = 18;
  private static final int BITS_MAX = 62;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final List<CaptureInterface> interfaces = new ArrayList<>();

  void add(int linkType, int snapLength, BlockOptions options) {
    if (interfaces.size() < INTERFACES_MAX) {
      int resolution = options.firstByte(INTERFACE_TIME_RESOLUTION, MICROSECONDS);
      int offsetAt = options.find(INTERFACE_TIME_OFFSET);
      long offsetSeconds = offsetAt < 0 ? 0 : options.number(INTERFACE_TIME_OFFSET);
      interfaces.add(new CaptureInterface(linkType, snapLength, resolution, offsetSeconds));
    }
  }

  boolean knows(int id) {
    return id >= 0 && id < interfaces.size();
  }

  int linkType(int id) {
    return interfaces.get(id).linkType;
  }

  /** The most bytes a packet of this interface keeps. */
  long snapLength(int id) {
    int length = interfaces.get(id).snapLength;
    return length == 0 ? Integer.MAX_VALUE : length & 0xffff_ffffL;
  }

  /** The cumulative counts of one interface, of which the last seen holds. */
  void statistics(int id, BlockOptions options) {
    if (knows(id)) {
      long drops =
          Math.max(0, options.number(STATISTICS_INTERFACE_DROPPED))
              + Math.max(0, options.number(STATISTICS_SYSTEM_DROPPED));
      CaptureInterface at = interfaces.get(id);
      at.reportedDrops = Math.max(at.reportedDrops, drops);
    }
  }

  void addDrops(int id, long drops) {
    interfaces.get(id).packetDrops += drops;
  }

  /** Drops of all interfaces: by their statistics or by their packets' own, whichever is more. */
  long droppedPackets() {
    long drops = 0;
    for (CaptureInterface at : interfaces) {
      drops += Math.max(at.reportedDrops, at.packetDrops);
    }
    return drops;
  }

  /** Nanoseconds since the Unix epoch of a time stamp in the units of its interface. */
  long nanos(int id, long ticks) {
    CaptureInterface at = interfaces.get(id);
    return at.offsetSeconds * NANOS_PER_SECOND + nanosOf(ticks, at.resolution);
  }

  private static long nanosOf(long ticks, int resolution) {
    if ((resolution & 0x80) != 0) {
      int bits = Math.min(resolution & 0x7f, BITS_MAX);
      long fraction = ticks & ((1L << bits) - 1);
      double fractionNanos = (double) fraction / (1L << bits) * NANOS_PER_SECOND;
      return (ticks >>> bits) * NANOS_PER_SECOND + (long) fractionNanos;
    }
    int digits = Math.min(resolution, DIGITS_MAX);
    long scale = 1;
    for (int i = Math.min(digits, NANOSECOND_DIGITS);
        i < Math.max(digits, NANOSECOND_DIGITS);
        i++) {
      scale *= 10;
    }
    return digits <= NANOSECOND_DIGITS ? ticks * scale : Long.divideUnsigned(ticks, scale);
  }

  private static final class CaptureInterface {
    private final int linkType;
    private final int snapLength;
    private final int resolution;
    private final long offsetSeconds;
    private long reportedDrops;
    private long packetDrops;

    CaptureInterface(int linkType, int snapLength, int resolution, long offsetSeconds) {
      this.linkType = linkType;
      this.snapLength = snapLength;
      this.resolution = resolution;
      this.offsetSeconds = offsetSeconds;
    }
  }
}
