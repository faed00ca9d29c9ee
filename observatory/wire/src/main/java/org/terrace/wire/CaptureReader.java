package org.terrace.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Request;
import org.terrace.observation.Sample;
import org.terrace.wire.file.CaptureInput;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.protocol.Protocols;
import org.terrace.wire.server.ServerEntry;
import org.terrace.wire.server.ServerTable;
import org.terrace.wire.server.Tiers;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.HostTraffic;
import org.terrace.wire.tcp.Reassembler;
import org.terrace.wire.tcp.TcpLimits;
import org.terrace.wire.tcp.TrafficTable;

/**
 * Reads packet captures into requests, streaming: packets, their TCP connections put in order, the
 * protocols on them, the servers behind them. A capture of any size takes bounded memory; one that
 * is truncated, damaged or hostile gives what can be read of it, and the statistics say what was
 * lost.
 *
 * <p>Each call is confined to its thread and independent of others.
 */
public final class CaptureReader {
  private final WireOptions options;
  private final Counters counters = new Counters();
  private final HostNames hostNames = new HostNames();
  private final TrafficTable traffic = new TrafficTable();
  private final PacketParser packet = new PacketParser();
  private final ServerTable servers;
  private final Reassembler reassembler;

  private CaptureReader(WireOptions options, Consumer<Request> sink) {
    this.options = options;
    servers = new ServerTable(options.servers(), hostNames);
    Protocols protocols = new Protocols(counters, servers, options.classesMax(), sink);
    TcpLimits limits =
        new TcpLimits(
            options.connectionsMax(),
            options.streamBufferBytesMax(),
            options.bufferBytesMax(),
            options.idleTimeout().toNanos());
    reassembler = new Reassembler(limits, counters, traffic, protocols);
  }

  /**
   * Reads one capture.
   *
   * @param sink receives every request when its end is known, so not in the order of arrival
   * @throws TerraceException when the source cannot be opened or is no packet capture
   */
  public static WireResult read(CaptureSource source, WireOptions options, Consumer<Request> sink) {
    return read(List.of(source), options, sink);
  }

  /**
   * Reads captures that follow each other in time, such as the files of a rotated capture, as one.
   *
   * @param sources the captures in the order of time, at least one
   * @param sink receives every request when its end is known, so not in the order of arrival
   * @throws TerraceException when a source cannot be opened or is no packet capture
   */
  public static WireResult read(
      List<CaptureSource> sources, WireOptions options, Consumer<Request> sink) {
    CaptureReader reader = new CaptureReader(options, sink);
    for (CaptureSource source : sources) {
      reader.readSource(source);
    }
    reader.reassembler.end();
    return reader.result();
  }

  private void readSource(CaptureSource source) {
    try (InputStream opened = source.open();
        InputStream input = CaptureInput.unpacked(opened)) {
      readPackets(
          new PacketStream(source.name(), input, options.reorderPackets(), counters, hostNames));
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
    while (stream.next()) {
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
        case TCP -> reassembler.packet(packet, bytes, stream.wireBytes(), stream.timeNanos());
        case NOT_TCP -> counters.increment(WireCount.NON_TCP_PACKETS);
        case FRAGMENT -> counters.increment(WireCount.FRAGMENTS);
        case UNDECODABLE -> counters.increment(WireCount.UNDECODABLE_PACKETS);
      }
    }
  }

  private WireResult result() {
    List<ServerEntry> seen = servers.withRequests();
    return new WireResult(Tiers.infer(seen), counters.snapshot(), samples(seen));
  }

  /** The traffic of each server; servers that share a host share its first server's samples. */
  private List<Sample> samples(List<ServerEntry> seen) {
    List<Sample> samples = new ArrayList<>();
    double seconds = traffic.intervalSeconds();
    for (int interval = 0; interval < traffic.intervals(); interval++) {
      long endNanos = traffic.endNanos(interval);
      Set<Object> hosts = new HashSet<>();
      for (ServerEntry server : seen) {
        HostTraffic host = traffic.of(server.address());
        if (host != null && hosts.add(host)) {
          double received = host.received(interval) / seconds;
          double sent = host.sent(interval) / seconds;
          samples.add(new Sample(server.name(), WireResult.RECEIVED, endNanos, received));
          samples.add(new Sample(server.name(), WireResult.SENT, endNanos, sent));
        }
      }
    }
    return samples;
  }
}
