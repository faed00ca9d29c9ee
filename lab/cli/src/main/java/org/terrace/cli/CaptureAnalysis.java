package org.terrace.cli;

import java.nio.file.Path;
import java.util.List;
import org.terrace.analysis.Findings;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.protocols.CaptureReader;
import org.terrace.protocols.ReadOptions;
import org.terrace.protocols.ReadResult;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.statistics.WireStatistics;

/**
 * The requests of a capture, and what it says of itself.
 *
 * @param requests the requests of all servers
 * @param wire servers, statistics and traffic
 */
record CaptureAnalysis(RequestTable requests, ReadResult wire) {

  /** Reads captures that follow each other in time. */
  static CaptureAnalysis of(List<CaptureSource> sources, List<Server> known) {
    RequestTable.Builder builder = new RequestTable.Builder();
    ReadResult result =
        CaptureReader.read(sources, ReadOptions.defaults().withServers(known), builder);
    return new CaptureAnalysis(builder.build(), result);
  }

  static CaptureAnalysis of(Path file, List<Server> known) {
    return of(List.of(CaptureSource.file(file)), known);
  }

  /** The capture's figures as findings have them. */
  Findings.Capture figures() {
    WireStatistics statistics = wire.statistics();
    return new Findings.Capture(
        statistics.packets(),
        statistics.bytes(),
        statistics.droppedPackets(),
        statistics.gaps(),
        statistics.midStreamConnections());
  }

  /** What was lost, a sentence each. */
  List<String> losses() {
    return wire.statistics().losses();
  }
}
