package org.terrace.microbenchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.decoder.ProtocolRegistry;
import org.terrace.protocols.decoder.Protocols;
import org.terrace.protocols.server.ServerTable;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.statistics.Counters;

/**
 * Time from the streams of a whole capture to its requests: detection of the protocol, decoding,
 * classes. Reassembly is done before.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DecodingBenchmark {
  private static final int CLASSES_MAX = 4096;
  private static final int REQUESTS = BoardTraffic.CONNECTIONS * BoardTraffic.EXCHANGES;

  private final RecordedStreams http = RecordedStreams.of(Packets.of(BoardTraffic.http()));
  private final RecordedStreams postgresql =
      RecordedStreams.of(Packets.of(BoardTraffic.postgresql()));
  private long answered;

  /**
   * {@link BoardTraffic#EXCHANGES} pages on each of {@link BoardTraffic#CONNECTIONS} connections.
   */
  @Benchmark
  public long http() {
    return decode(http, REQUESTS);
  }

  /**
   * The decoding of as many queries as {@link #http()} has pages, and on each connection of the
   * greeting and the preparation of a statement.
   */
  @Benchmark
  public long postgresql() {
    return decode(postgresql, REQUESTS);
  }

  private long decode(RecordedStreams streams, int atLeast) {
    answered = 0;
    Counters counters = new Counters();
    ServerTable servers = new ServerTable(List.of(), new HostNames());
    streams.replay(
        new Protocols(
            counters,
            servers,
            ProtocolRegistry.with(List.of()),
            CLASSES_MAX,
            this::count,
            connection -> {}));
    if (answered < atLeast) {
      throw new IllegalStateException(answered + " requests were decoded, not " + atLeast);
    }
    return answered;
  }

  private void count(Request request) {
    if (request.outcome() == Outcome.OK) {
      answered++;
    }
  }
}
