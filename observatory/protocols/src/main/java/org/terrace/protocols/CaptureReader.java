package org.terrace.protocols;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Exchange;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.PointTimes;
import org.terrace.observation.Request;
import org.terrace.observation.Sample;
import org.terrace.protocols.correlated.AjpProtocol;
import org.terrace.protocols.correlated.FastCgiProtocol;
import org.terrace.protocols.correlated.GiopProtocol;
import org.terrace.protocols.correlated.KafkaProtocol;
import org.terrace.protocols.correlated.MemcachedProtocol;
import org.terrace.protocols.correlated.MongoProtocol;
import org.terrace.protocols.correlated.ThriftProtocol;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.decoder.ProtocolRegistry;
import org.terrace.protocols.decoder.Protocols;
import org.terrace.protocols.http2.Http2Protocol;
import org.terrace.protocols.memcached.TextProtocol;
import org.terrace.protocols.redis.RedisProtocol;
import org.terrace.protocols.server.ServerEntry;
import org.terrace.protocols.server.ServerTable;
import org.terrace.protocols.server.Tiers;
import org.terrace.protocols.tls.TlsKeys;
import org.terrace.protocols.tls.TlsProtocol;
import org.terrace.wire.CapturePoints;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.ConversationReader;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.HostTraffic;
import org.terrace.wire.tcp.TcpLimits;
import org.terrace.wire.tcp.TimeSpans;
import org.terrace.wire.tcp.TrafficTable;

/**
 * The way from packet captures to requests, streaming: packets, their TCP connections put in order,
 * the protocols on them, the servers behind them. A capture of any size takes bounded memory; one
 * that is truncated, damaged or hostile gives what can be read of it, and the statistics say what
 * was lost.
 *
 * <p>Each call is confined to its thread and independent of others.
 */
public final class CaptureReader {
  private static final List<Protocol> PROTOCOLS =
      List.of(
          new Http2Protocol(),
          new RedisProtocol(),
          new MemcachedProtocol(),
          new MongoProtocol(),
          new GiopProtocol(),
          new AjpProtocol(),
          new FastCgiProtocol(),
          new ThriftProtocol(),
          new TextProtocol(),
          new KafkaProtocol());

  private final Counters counters = new Counters();
  private final TrafficTable traffic = new TrafficTable();
  private final ServerTable servers;
  private final TlsProtocol tls;
  private final ConversationReader conversations;

  private CaptureReader(
      ReadOptions options, Consumer<Request> sink, Consumer<ObservedConnection> connections) {
    HostNames hostNames = new HostNames();
    servers = new ServerTable(options.servers(), hostNames);
    TlsKeys keys = new TlsKeys(counters);
    options.keyLogs().forEach(keys::read);
    tls = new TlsProtocol(keys);
    ProtocolRegistry registry = ProtocolRegistry.with(tls, PROTOCOLS);
    Protocols protocols =
        new Protocols(counters, servers, registry, options.classesMax(), sink, connections);
    TcpLimits limits =
        new TcpLimits(
            options.connectionsMax(),
            options.streamBufferBytesMax(),
            options.bufferBytesMax(),
            options.idleTimeout().toNanos());
    conversations =
        new ConversationReader(
            limits, options.reorderPackets(), counters, hostNames, keys, traffic, protocols);
  }

  /**
   * Reads one capture.
   *
   * @param sink receives every request when its end is known, so not in the order of arrival
   * @throws TerraceException when the source cannot be opened or is no packet capture, or a key log
   *     cannot be read
   */
  public static ReadResult read(CaptureSource source, ReadOptions options, Consumer<Request> sink) {
    return read(List.of(source), options, sink);
  }

  /**
   * Reads captures that follow each other in time, such as the files of a rotated capture, as one.
   *
   * @param sources the captures in the order of time, at least one
   * @param sink receives every request when its end is known, so not in the order of arrival
   * @throws TerraceException when a source cannot be opened or is no packet capture, or a key log
   *     cannot be read
   */
  public static ReadResult read(
      List<CaptureSource> sources, ReadOptions options, Consumer<Request> sink) {
    return read(sources, options, sink, connection -> {});
  }

  /**
   * Reads captures that follow each other in time as one, their connections too.
   *
   * @param sources the captures in the order of time, at least one
   * @param sink receives every request when its end is known, so not in the order of arrival
   * @param connections receives every connection when its end is known, those without data too
   * @throws TerraceException when a source cannot be opened or is no packet capture, or a key log
   *     cannot be read
   */
  public static ReadResult read(
      List<CaptureSource> sources,
      ReadOptions options,
      Consumer<Request> sink,
      Consumer<ObservedConnection> connections) {
    CapturePoints points =
        sources.size() == 1 && sources.getFirst() instanceof CapturePoints several ? several : null;
    CaptureReader reader =
        points == null
            ? new CaptureReader(options, sink, connections)
            : new CaptureReader(
                options,
                request -> sink.accept(request.withRecorded(recorded(points, request))),
                connection ->
                    connections.accept(connection.withRecorded(recorded(points, connection))));
    for (CaptureSource source : sources) {
      reader.conversations.read(source);
    }
    reader.conversations.end();
    return reader.result();
  }

  private static PointTimes recorded(CapturePoints points, Request request) {
    Exchange exchange = request.exchange();
    return new PointTimes(
        points.nameOf(exchange.firstFrame()),
        points.rawNanos(exchange.firstFrame(), request.arrivalNanos()),
        points.rawNanos(exchange.lastFrame(), request.departureNanos()));
  }

  private static PointTimes recorded(CapturePoints points, ObservedConnection connection) {
    return new PointTimes(
        points.nameOf(connection.firstFrame()),
        points.rawNanos(connection.firstFrame(), connection.startNanos()),
        points.rawNanos(connection.lastFrame(), connection.endNanos()));
  }

  private ReadResult result() {
    counters.add(WireCount.UNTOLD_EVENTS, traffic.events().untold());
    List<ServerEntry> seen = servers.withRequests();
    return new ReadResult(
        Tiers.infer(seen), counters.snapshot(), samples(seen), events(seen), tls.notes());
  }

  /** The events of the servers: one that is told of a host is told of each server on it. */
  private List<Event> events(List<ServerEntry> seen) {
    List<Event> events = new ArrayList<>();
    Set<String> told = new HashSet<>();
    for (ServerEntry server : seen) {
      HostTraffic host = traffic.of(server.address());
      if (host != null && told.add(server.name() + '\0' + server.address())) {
        add(events, server.name(), EventKinds.HOST_SILENT, host.silences());
        add(events, server.name(), EventKinds.CAPTURE_LOSS, host.losses());
      }
    }
    events.addAll(WireEvents.of(traffic.events(), servers));
    events.addAll(WireEvents.of(conversations.drops()));
    events.sort(Comparator.comparingLong(Event::startNanos));
    return events;
  }

  private static void add(List<Event> events, String server, String kind, TimeSpans spans) {
    for (int i = 0; i < spans.size(); i++) {
      events.add(new Event(server, kind, spans.startNanos(i), spans.endNanos(i), Map.of()));
    }
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
          samples.add(new Sample(server.name(), ReadResult.RECEIVED, endNanos, received));
          samples.add(new Sample(server.name(), ReadResult.SENT, endNanos, sent));
        }
      }
    }
    return samples;
  }
}
