package org.terrace.wire.file;

import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

/**
 * The packets of one capture in the order of their times, as far as a bounded window can mend their
 * order. The bytes of a packet are read where they lie in the input's buffer: nothing is copied and
 * nothing allocated for a packet. Confined to one thread.
 */
public final class PacketStream {
  /** Leaves room for one more step of the reader within what the window holds. */
  private static final int HELD_BYTES_MAX = ByteWindow.HELD_BYTES_MAX / 2;

  private final ByteWindow window;
  private final Counters counters;
  private final @Nullable RecordReader reader;
  private final ReorderWindow held;
  private final int staleAfter;
  private final PacketClock clock;
  private PacketRecord current = new PacketRecord();
  private long latestNanos = Long.MIN_VALUE;
  private long read;
  private long heldFrom;
  private int addedSinceCheck;
  private boolean draining;
  private boolean ended;

  /**
   * Opens a capture.
   *
   * @param source what to call the input in messages
   * @param input the capture, not compressed; the caller closes it
   * @param reorderPackets how many packets are held to mend their order, at least 1
   * @throws TerraceException when the input is neither pcap nor pcapng
   */
  public PacketStream(
      String source, InputStream input, int reorderPackets, Counters counters, HostNames names) {
    this(source, input, reorderPackets, counters, names, CaptureSecrets.NONE, PacketClock.RAW);
  }

  /**
   * Opens a capture whose secrets are wanted too, and whose times are converted before packets are
   * put in their order.
   *
   * @param source the name of the input in messages
   * @param input the capture, not compressed; the caller closes it
   * @param reorderPackets how many packets are held to mend their order, at least 1
   * @param names takes the names that the capture gives to addresses
   * @param secrets takes the secrets, each before the packets that stand behind it in the file
   * @param clock converts the times
   * @throws TerraceException when the input is neither pcap nor pcapng
   */
  public PacketStream(
      String source,
      InputStream input,
      int reorderPackets,
      Counters counters,
      HostNames names,
      CaptureSecrets secrets,
      PacketClock clock) {
    this.counters = counters;
    this.clock = clock;
    window = new ByteWindow(input, counters);
    held = new ReorderWindow(reorderPackets);
    staleAfter = 2 * reorderPackets;
    reader = open(source, names, secrets);
  }

  private @Nullable RecordReader open(String source, HostNames names, CaptureSecrets secrets) {
    if (PcapReader.recognises(window)) {
      PcapReader pcap = PcapReader.open(window, counters);
      if (pcap == null) {
        counters.increment(WireCount.TRUNCATED_FILES);
      }
      return pcap;
    }
    if (PcapngReader.recognises(window)) {
      return new PcapngReader(window, counters, names, secrets);
    }
    boolean failed =
        counters.of(WireCount.TRUNCATED_FILES) + counters.of(WireCount.READ_ERRORS) > 0;
    String found =
        failed
            ? "its compressed data are cut short or damaged"
            : window.available() == 0 ? "it is empty" : "it begins otherwise";
    throw new TerraceException(
        ErrorCode.BAD_INPUT,
        source
            + ": expected a packet capture (pcap or pcapng, plain or compressed by gzip, zstd or"
            + " xz), but "
            + found
            + ". Record one with 'terrace capture' or tcpdump -w; a table of requests is read from"
            + " .parquet, .csv and .csv.gz, traces from JSON and protobuf.");
  }

  /** Moves to the next packet; false after the last. */
  public boolean next() {
    if (!draining && !ended) {
      fill();
    }
    if (held.isEmpty()) {
      return false;
    }
    current = held.take();
    if (held.isEmpty()) {
      draining = false;
    }
    if (current.timeNanos < latestNanos) {
      counters.increment(WireCount.LATE_PACKETS);
    } else {
      latestNanos = current.timeNanos;
    }
    return true;
  }

  private void fill() {
    RecordReader records = reader;
    if (records == null) {
      ended = true;
      return;
    }
    while (!held.isFull() && !reachesBackTooFar()) {
      PacketRecord free = held.free();
      switch (records.read(free)) {
        case PACKET -> {
          free.number = ++read;
          free.timeNanos = clock.timeNanos(read, free.timeNanos);
          held.add();
          addedSinceCheck++;
        }
        case OTHER -> {}
        case END -> {
          ended = true;
          counters.add(WireCount.DROPPED_PACKETS, records.droppedPackets());
          return;
        }
      }
    }
  }

  /**
   * Whether a packet must be taken before another is read: because the held ones reach back too far
   * in the buffer, or because one of them claims a time so far ahead that it would never be taken.
   */
  private boolean reachesBackTooFar() {
    boolean checkStale = addedSinceCheck >= staleAfter;
    if (!checkStale && window.position() - heldFrom <= HELD_BYTES_MAX) {
      return false;
    }
    long before = heldFrom;
    heldFrom = held.leastPosition(window.position());
    window.keepFrom(heldFrom);
    if (checkStale) {
      addedSinceCheck = 0;
      draining = heldFrom == before && !held.isEmpty();
    }
    return draining || (window.position() - heldFrom > HELD_BYTES_MAX && !held.isEmpty());
  }

  /** The times in which the capture dropped packets itself; whole after the last packet. */
  public DropTimes drops() {
    RecordReader records = reader;
    return records == null ? new DropTimes() : records.drops();
  }

  /** The array in which the current packet lies. */
  public byte[] bytes() {
    return window.bytes();
  }

  /** The index of the first byte of the current packet. */
  public int offset() {
    return window.indexOf(current.position);
  }

  /** Bytes of the current packet that were kept. */
  public int capturedBytes() {
    return current.capturedBytes;
  }

  /** Bytes of the current packet on the wire. */
  public int wireBytes() {
    return current.wireBytes;
  }

  /** The link-layer type of the current packet, as in pcap's list. */
  public int linkType() {
    return current.linkType;
  }

  /** The number of the current packet, counted from 1 in the order of the file. */
  public long number() {
    return current.number;
  }

  /** The time of the current packet in nanoseconds since the Unix epoch. */
  public long timeNanos() {
    return current.timeNanos;
  }
}
