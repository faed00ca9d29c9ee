package org.terrace.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.CapturePoint;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.protocols.CaptureReader;
import org.terrace.protocols.ReadOptions;
import org.terrace.protocols.ReadResult;
import org.terrace.wire.CapturePoints;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.ReadProgress;
import org.terrace.wire.statistics.WireStatistics;

/**
 * The requests decoded from a capture, with the capture's own statistics. Immutable.
 *
 * @param requests the requests of all servers
 * @param connections the connections of all servers, those without requests too
 * @param wire servers, statistics and traffic
 * @param points the capture points of a trial that has several
 */
public record CaptureAnalysis(
    RequestTable requests,
    List<ObservedConnection> connections,
    ReadResult wire,
    List<CapturePoint> points) {

  /** Copies the connections. */
  public CaptureAnalysis {
    connections = List.copyOf(connections);
    points = List.copyOf(points);
  }

  /** Reads the captures of a trial, all put on the clock of the first; empty without any. */
  static Optional<CaptureAnalysis> of(Trial trial) {
    List<CapturePoints.Point> points =
        trial.captures().stream()
            .map(each ->
                new CapturePoints.Point(each.point(), List.of(CaptureSource.file(each.file()))))
            .toList();
    return switch (points.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(of(trial.captures().getFirst().file(), trial.servers()));
      default -> {
        CapturePoints joined = CapturePoints.of(points);
        CaptureAnalysis read = of(List.of(joined), trial.servers(), List.of());
        yield Optional.of(read.at(PointFigures.of(joined)));
      }
    };
  }

  private CaptureAnalysis at(List<CapturePoint> several) {
    return new CaptureAnalysis(requests, connections, wire, several);
  }

  /** Reads captures that follow each other in time, with key logs of TLS. */
  public static CaptureAnalysis of(
      List<CaptureSource> sources, List<Server> known, List<Path> keyLogs) {
    return of(sources, known, keyLogs, new ReadProgress());
  }

  /**
   * Reads captures that follow each other in time, with key logs of TLS.
   *
   * @param progress is told of the requests
   */
  public static CaptureAnalysis of(
      List<CaptureSource> sources, List<Server> known, List<Path> keyLogs, ReadProgress progress) {
    RequestTable.Builder builder = new RequestTable.Builder();
    List<ObservedConnection> connections = new ArrayList<>();
    ReadResult result =
        CaptureReader.read(
            sources,
            ReadOptions.defaults().withServers(known).withKeyLogs(keyLogs),
            request -> {
              builder.accept(request);
              progress.addRequest();
            },
            connections::add);
    // A pool's connections are opened before their owner is seen to serve anybody, when nothing
    // yet tells its name.
    Map<String, String> alone = Server.aloneAtHost(result.servers());
    RequestTable requests =
        builder.build().withClients(client -> alone.getOrDefault(client, client));
    return new CaptureAnalysis(requests, connections, result, List.of());
  }

  /** Reads one capture. */
  public static CaptureAnalysis of(Path file, List<Server> known) {
    return of(List.of(CaptureSource.file(file)), known, List.of());
  }

  /** The capture's figures as findings have them. */
  public CaptureFigures figures() {
    WireStatistics statistics = wire.statistics();
    return new CaptureFigures(
        statistics.packets(),
        statistics.bytes(),
        statistics.droppedPackets(),
        statistics.gaps(),
        statistics.midStreamConnections(),
        points);
  }

  /** The losses and the doubts about clocks, a sentence each. */
  public List<String> losses() {
    List<String> losses = new ArrayList<>(PointFigures.warnings(points));
    losses.addAll(wire.losses());
    return losses;
  }
}
