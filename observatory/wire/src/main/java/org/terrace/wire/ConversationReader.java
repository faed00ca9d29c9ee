package org.terrace.wire;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TerraceException;
import org.terrace.wire.file.CaptureSecrets;
import org.terrace.wire.file.DropTimes;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketClock;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.points.PointScan;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversations;
import org.terrace.wire.tcp.Moment;
import org.terrace.wire.tcp.Reassembler;
import org.terrace.wire.tcp.TcpLimits;
import org.terrace.wire.tcp.TrafficTable;

/**
 * The way from packet captures to TCP conversations, streaming: packets in the order of time, their
 * connections put in order. A capture of any size takes bounded memory; one that is truncated,
 * damaged or hostile gives what can be read of it, and the counters say what was lost. Confined to
 * one thread.
 */
public final class ConversationReader {
  private final int reorderPackets;
  private final Counters counters;
  private final HostNames hostNames;
  private final CaptureSecrets secrets;
  private final PacketParser packet = new PacketParser();
  private final Reassembler reassembler;
  private final Moment moment = new Moment();
  private final List<DropTimes.Drop> drops = new ArrayList<>();
  private long packetsBefore;

  /**
   * A reader of captures that follow each other in time.
   *
   * @param reorderPackets packets held to mend their order in time
   * @param counters takes what was read and what was lost
   * @param hostNames takes the names that the captures give
   * @param secrets takes the secrets that the captures carry, each before the packets behind it
   * @param traffic takes the bytes of each host
   * @param conversations are opened for the connections with data
   */
  public ConversationReader(
      TcpLimits limits,
      int reorderPackets,
      Counters counters,
      HostNames hostNames,
      CaptureSecrets secrets,
      TrafficTable traffic,
      Conversations conversations) {
    this.reorderPackets = reorderPackets;
    this.counters = counters;
    this.hostNames = hostNames;
    this.secrets = secrets;
    reassembler = new Reassembler(limits, counters, traffic, conversations);
  }

  /**
   * Reads packets to their end; what is read next continues the connections of these.
   *
   * @throws TerraceException when a source cannot be opened or is no packet capture
   */
  public void read(CaptureSource source) {
    switch (source) {
      case CaptureSource.OneCapture capture -> read(capture, null);
      case CaptureParts parts -> parts.files().forEach(file -> read(file, parts.nextScan()));
      case CapturePoints points -> read(points);
    }
  }

  private void read(CaptureSource.OneCapture capture, @Nullable PointScan scan) {
    try (PointPackets packets =
        new PointPackets(
            List.of(capture),
            PacketClock.RAW,
            packetsBefore,
            reorderPackets,
            counters,
            hostNames,
            secrets)) {
      while (packets.next()) {
        PacketParser.Kind kind = parse(packets);
        if (scan != null) {
          scan.take(kind, packet, packets.stream().bytes(), packets.number(), packets.timeNanos());
        }
        take(packets, kind, packets.timeNanos());
      }
      packetsBefore += packets.packets();
      drops.addAll(packets.drops());
    }
  }

  private void read(CapturePoints points) {
    List<PointPackets> all =
        points.open(packetsBefore, reorderPackets, counters, hostNames, secrets);
    try {
      List<PointPackets> open = new ArrayList<>(all);
      open.removeIf(packets -> !packets.next());
      while (!open.isEmpty()) {
        PointPackets earliest = open.getFirst();
        for (PointPackets packets : open) {
          earliest = packets.timeNanos() < earliest.timeNanos() ? packets : earliest;
        }
        PacketParser.Kind kind = parse(earliest);
        long timeNanos = earliest.timeNanos();
        if (kind != PacketParser.Kind.TCP
            || points.counts(all.indexOf(earliest), packet, timeNanos)) {
          take(earliest, kind, timeNanos);
        }
        if (!earliest.next()) {
          open.remove(earliest);
        }
      }
      for (PointPackets packets : all) {
        packetsBefore += packets.packets();
        drops.addAll(packets.drops());
      }
    } finally {
      all.forEach(PointPackets::close);
    }
  }

  private PacketParser.Kind parse(PointPackets from) {
    PacketStream stream = from.stream();
    return packet.parse(
        stream.bytes(),
        stream.offset(),
        stream.capturedBytes(),
        stream.wireBytes(),
        stream.linkType());
  }

  private void take(PointPackets from, PacketParser.Kind kind, long timeNanos) {
    PacketStream stream = from.stream();
    counters.increment(WireCount.PACKETS);
    counters.add(WireCount.BYTES, stream.wireBytes());
    switch (kind) {
      case TCP -> {
        if (packet.path() != 0) {
          counters.increment(WireCount.TUNNELLED_PACKETS);
        }
        moment.set(timeNanos, from.frame());
        reassembler.packet(packet, stream.bytes(), stream.wireBytes(), moment);
      }
      case NOT_TCP -> counters.increment(WireCount.NON_TCP_PACKETS);
      case FRAGMENT -> counters.increment(WireCount.FRAGMENTS);
      case UNDECODABLE -> counters.increment(WireCount.UNDECODABLE_PACKETS);
    }
  }

  /** The times in which the captures dropped packets themselves, as far as their files tell. */
  public List<DropTimes.Drop> drops() {
    return List.copyOf(drops);
  }

  /** Ends the conversations that are still open; the last call. */
  public void end() {
    reassembler.end();
  }
}
