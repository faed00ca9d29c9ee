package org.terrace.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.protocols.CaptureReader;
import org.terrace.protocols.ReadOptions;
import org.terrace.protocols.ReadResult;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.statistics.WireStatistics;

/**
 * The requests decoded from a capture, with the capture's own statistics. Immutable.
 *
 * @param requests the requests of all servers
 * @param connections the connections of all servers, those without requests too
 * @param wire servers, statistics and traffic
 */
public record CaptureAnalysis(
    RequestTable requests, List<ObservedConnection> connections, ReadResult wire) {

  /** Copies the connections. */
  public CaptureAnalysis {
    connections = List.copyOf(connections);
  }

  /** Reads captures that follow each other in time, with key logs of TLS. */
  public static CaptureAnalysis of(
      List<CaptureSource> sources, List<Server> known, List<Path> keyLogs) {
    RequestTable.Builder builder = new RequestTable.Builder();
    List<ObservedConnection> connections = new ArrayList<>();
    ReadResult result =
        CaptureReader.read(
            sources,
            ReadOptions.defaults().withServers(known).withKeyLogs(keyLogs),
            builder,
            connections::add);
    // A pool's connections are opened before their owner is seen to serve anybody, when nothing
    // yet tells its name.
    Map<String, String> alone = Server.aloneAtHost(result.servers());
    RequestTable requests =
        builder.build().withClients(client -> alone.getOrDefault(client, client));
    return new CaptureAnalysis(requests, connections, result);
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
        statistics.midStreamConnections());
  }

  /** The losses, a sentence each. */
  public List<String> losses() {
    return wire.losses();
  }
}
