package org.terrace.mesh;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.experiment.Load;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Trial;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.Utilisation;
import org.terrace.specification.PlannedTrial;

/** The figures of a trial that a mesh is made of. Stateless. */
final class TrialMeasure {
  private static final double NANOS_PER_SECOND = 1e9;

  private TrialMeasure() {}

  /** The run phase of a trial. */
  static Event run(Trial trial) {
    return trial.events().stream()
        .filter(event -> event.kind().equals(EventKinds.PHASE_RUN))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a trial without a run"));
  }

  /** The row of a trial that was done. */
  static MeshTrial done(PlannedTrial planned, String key, Trial trial) {
    Event run = run(trial);
    double seconds = (run.endNanos() - run.startNanos()) / NANOS_PER_SECOND;
    int users = planned.experiment().load() instanceof Load.Closed ? planned.users() : 0;
    List<ClassOutcome> classes = new RunRequests(trial.clientRequests(), run, users).classes();
    long good = classes.stream().mapToLong(each -> each.count() - each.errors()).sum();
    double sampleSeconds = trial.experiment().observe().sample().toNanos() / NANOS_PER_SECOND;
    return new MeshTrial(
        key,
        Status.DONE,
        planned.configuration(),
        planned.users(),
        planned.repeat(),
        seconds,
        classes,
        good / seconds,
        utilisation(trial.servers(), trial.samples(), run, sampleSeconds),
        MeshFolder.relative(key));
  }

  /** The row of a trial that has no figures. */
  static MeshTrial without(PlannedTrial planned, String key, Status status) {
    return new MeshTrial(
        key,
        status,
        planned.configuration(),
        planned.users(),
        planned.repeat(),
        0,
        List.of(),
        0,
        List.of(),
        MeshFolder.relative(key));
  }

  /** The name of a resource in a mesh; empty for a reading that is no share of a server's limit. */
  private static String name(Sample sample) {
    return switch (sample.resource()) {
      case Resources.CPU_UTILISATION -> "cpu";
      case Resources.MEMORY_UTILISATION -> "memory";
      case Resources.DISK_UTILISATION -> "disk";
      case Resources.NETWORK_UTILISATION -> "network";
      case Resources.ACCEPT_QUEUE -> "accept-queue";
      default ->
          sample.resource().startsWith(Resources.POOL)
              ? sample.resource().substring(Resources.POOL.length())
              : "";
    };
  }

  /** The readings of a resource of a server, in the order of time. */
  private record Readings(Server server, String resource, List<Sample> samples) {
    long[] times() {
      return samples.stream().mapToLong(Sample::timeNanos).toArray();
    }

    double[] shares() {
      return samples.stream().mapToDouble(sample -> Math.clamp(sample.value(), 0.0, 1.0)).toArray();
    }
  }

  /** The readings whose whole interval lies in the run, node by node, as shares from 0 to 1. */
  static List<Utilisation> utilisation(
      List<Server> servers, List<Sample> samples, Event run, double sampleSeconds) {
    long interval = Math.round(sampleSeconds * NANOS_PER_SECOND);
    List<Sample> within =
        samples.stream()
            .filter(sample -> sample.timeNanos() - interval >= run.startNanos())
            .filter(sample -> sample.timeNanos() <= run.endNanos())
            .sorted(Comparator.comparingLong(Sample::timeNanos))
            .toList();
    List<Readings> all = new ArrayList<>();
    for (Server server : servers) {
      Map<String, List<Sample>> byResource = new LinkedHashMap<>();
      for (Sample sample : within) {
        String resource = name(sample);
        if (!resource.isEmpty() && sample.node().equals(server.name())) {
          byResource.computeIfAbsent(resource, _ -> new ArrayList<>()).add(sample);
        }
      }
      byResource.forEach((resource, found) -> all.add(new Readings(server, resource, found)));
    }
    List<int[]> slots =
        ReadingSlots.of(
            all.stream().map(Readings::times).toList(), run.startNanos() + interval, interval);
    List<Utilisation> series = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Readings each = all.get(i);
      series.add(
          Utilisation.of(
              each.server().name(),
              Tier.labelOfShown(each.server().tier()),
              each.resource(),
              sampleSeconds,
              slots.get(i),
              each.shares()));
    }
    return series;
  }
}
