package org.terrace.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.wire.file.CaptureInput;
import org.terrace.wire.file.DropTimes;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.packet.PacketParser;
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
   * @param traffic takes the bytes of each host
   * @param conversations are opened for the connections with data
   */
  public ConversationReader(
      TcpLimits limits,
      int reorderPackets,
      Counters counters,
      HostNames hostNames,
      TrafficTable traffic,
      Conversations conversations) {
    this.reorderPackets = reorderPackets;
    this.counters = counters;
    this.hostNames = hostNames;
    reassembler = new Reassembler(limits, counters, traffic, conversations);
  }

  /**
   * Reads one capture to its end; the next one continues the connections of this one.
   *
   * @throws TerraceException when the source cannot be opened or is no packet capture
   */
  public void read(CaptureSource source) {
    try (InputStream opened = source.open();
        InputStream input = CaptureInput.unpacked(opened)) {
      readPackets(new PacketStream(source.name(), input, reorderPackets, counters, hostNames));
    } catch (NoSuchFileException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          source.name() + ": there is no such file. Check the path of the capture.",
          e);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          source.name()
              + ": expected a readable packet capture, but opening it failed ("
              + e.getMessage()
              + "). Check that it is a whole file and that you may read it.",
          e);
    }
  }

  private void readPackets(PacketStream stream) {
    long packets = 0;
    while (stream.next()) {
      packets++;
      counters.increment(WireCount.PACKETS);
      counters.add(WireCount.BYTES, stream.wireBytes());
      byte[] bytes = stream.bytes();
      PacketParser.Kind kind =
          packet.parse(
              bytes,
              stream.offset(),
              stream.capturedBytes(),
              stream.wireBytes(),
              stream.linkType());
      switch (kind) {
        case TCP -> {
          moment.set(stream.timeNanos(), packetsBefore + stream.number());
          reassembler.packet(packet, bytes, stream.wireBytes(), moment);
        }
        case NOT_TCP -> counters.increment(WireCount.NON_TCP_PACKETS);
        case FRAGMENT -> counters.increment(WireCount.FRAGMENTS);
        case UNDECODABLE -> counters.increment(WireCount.UNDECODABLE_PACKETS);
      }
    }
    packetsBefore += packets;
    drops.addAll(stream.drops().all());
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
