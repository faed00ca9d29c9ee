package org.terrace.experiment;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.setting.ProcessorLimit;
import org.terrace.nodes.setting.WebServer;

/** Experiments of which most is as usual. Stateless. */
final class PlainExperiments {
  private PlainExperiments() {}

  /** An experiment of one user and ten seconds. */
  static Experiment of(Topology topology, List<Fault> faults, Map<String, ProcessorLimit> limits) {
    return new Experiment(
        "plain",
        topology,
        Experiment.BOARD,
        Map.of(),
        Experiment.POSTGRESQL,
        Replication.USUAL,
        WebServer.PROXY,
        new Load.Closed(1, new Distribution.Exponential(Duration.ofSeconds(1))),
        "browse-only",
        List.of(),
        new Phases(Duration.ZERO, Duration.ofSeconds(10), Duration.ZERO),
        faults,
        new Experiment.Observe(
            true, Duration.ofSeconds(1), 0, Experiment.Observe.LONGEST_SNAP_LENGTH),
        limits,
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        List.of(),
        new Experiment.Data(0.01, 1),
        "127.0",
        1);
  }

  /** An experiment in which nothing is broken or limited. */
  static Experiment of(Topology topology) {
    return of(topology, List.of(), Map.of());
  }
}
