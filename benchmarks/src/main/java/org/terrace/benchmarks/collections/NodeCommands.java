package org.terrace.benchmarks.collections;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.terrace.core.TimeSource;

/** What a server or the load process can be told to do. */
final class NodeCommands {
  private static final long POLL_NANOS = 5_000_000;
  private static final long JOIN_NANOS_MAX = 60_000_000_000L;
  private static final TimeSource TIME = TimeSource.system();

  private final SharedMap map;
  private final Workload workload;

  NodeCommands(SharedMap map) {
    this.map = map;
    this.workload = new Workload(map);
  }

  /** Does what the words say; the figures it gave. */
  Map<String, Double> run(String[] words) throws Exception {
    return switch (words[0]) {
      case "join" -> join(Integer.parseInt(words[1]));
      case "fill" -> workload.fill();
      case "latency" ->
          workload.latency(Double.parseDouble(words[1]), Double.parseDouble(words[2]));
      case "mix" ->
          workload.mix(
              Integer.parseInt(words[1]),
              Double.parseDouble(words[2]),
              Double.parseDouble(words[3]));
      case "figures" -> map.figures();
      default -> throw new IllegalArgumentException("unknown command " + words[0]);
    };
  }

  /** Waits until that many servers see each other. */
  private Map<String, Double> join(int members) throws Exception {
    long startNanos = TIME.elapsedNanos();
    while (map.members() != members) {
      if (TIME.elapsedNanos() - startNanos > JOIN_NANOS_MAX) {
        throw new IllegalStateException(
            "expected " + members + " servers to see each other, there are " + map.members());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return Map.of();
  }
}
