package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck;
import org.terrace.scaling.bottleneck.BottleneckClassifier;
import org.terrace.scaling.bottleneck.SaturationRules;

class TrialMeasureTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Event RUN =
      new Event("experiment", EventKinds.PHASE_RUN, 10 * SECOND, 20 * SECOND, Map.of());

  @Test
  void onlyReadingsOfWholeIntervalsWithinTheRunCount() {
    List<Server> servers =
        List.of(
            new Server("app1", "app", List.of()), new Server("database1", "database", List.of()));
    List<Sample> samples =
        List.of(
            cpu("app1", 10.5, 0.1),
            cpu("app1", 11, 0.2),
            cpu("database1", 12, 0.7),
            cpu("app1", 12, 1.2),
            cpu("app1", 20, 0.4),
            cpu("app1", 21, 0.5),
            new Sample("app1", Resources.MEMORY_BYTES, 12 * SECOND, 1e9),
            new Sample("app1", Resources.POOL + "threads", 12 * SECOND, 0.25),
            new Sample("app1", Resources.ACCEPT_QUEUE, 12 * SECOND, 0.75),
            new Sample("app1", Resources.ACCEPT_QUEUE_DROPS, 12 * SECOND, 3),
            new Sample("app1", Resources.MEMORY_UTILISATION, 12 * SECOND, 0.5),
            new Sample("app1", Resources.CACHE_BYTES, 12 * SECOND, 1e6),
            new Sample("app1", Resources.DISK_UTILISATION, 12 * SECOND, 1.03),
            new Sample("app1", Resources.NETWORK_UTILISATION, 12 * SECOND, 0.875),
            cpu(Resources.MACHINE, 12, 0.9));

    List<Utilisation> found = TrialMeasure.utilisation(servers, samples, RUN, 1);

    assertThat(found)
        .containsExactly(
            Utilisation.of(
                "app1", "app", "cpu", 1, new int[] {0, 1, 9}, new double[] {0.2, 1, 0.4}),
            Utilisation.of("app1", "app", "threads", 1, new int[] {1}, new double[] {0.25}),
            Utilisation.of("app1", "app", "accept-queue", 1, new int[] {1}, new double[] {0.75}),
            Utilisation.of("app1", "app", "memory", 1, new int[] {1}, new double[] {0.5}),
            Utilisation.of("app1", "app", "disk", 1, new int[] {1}, new double[] {1}),
            Utilisation.of("app1", "app", "network", 1, new int[] {1}, new double[] {0.875}),
            Utilisation.of("database1", "database", "cpu", 1, new int[] {1}, new double[] {0.7}));
  }

  /** Two disks of which now one is full, now the other, for two seconds each. */
  @Test
  void aMissingReadingMovesNoneOfTheOthers() {
    List<Server> servers =
        List.of(
            new Server("database1", "database", List.of()),
            new Server("database2", "database", List.of()));
    List<Sample> samples = new ArrayList<>();
    for (int second = 0; second < 60; second++) {
      boolean first = second % 4 < 2;
      double late = second % 7 == 0 ? 0.3 : 0;
      samples.add(disk("database1", 11.1 + second + late, first ? 1 : 0.2));
      if (second != 8 && second != 9) {
        samples.add(disk("database2", 11.4 + second, first ? 0.2 : 1));
      }
    }
    Event run = new Event("experiment", EventKinds.PHASE_RUN, 10 * SECOND, 80 * SECOND, Map.of());

    Bottleneck found =
        new BottleneckClassifier(SaturationRules.DEFAULT, 1)
            .classify(TrialMeasure.utilisation(servers, samples, run, 1), true);

    assertThat(found.union()).isEqualTo(1);
    assertThat(found.leftOut()).isEqualTo(2);
    assertThat(found.kind()).isEqualTo(Bottleneck.Kind.OSCILLATORY);
  }

  private static Sample disk(String node, double second, double value) {
    return new Sample(node, Resources.DISK_UTILISATION, (long) (second * SECOND), value);
  }

  private static Sample cpu(String node, double second, double value) {
    return new Sample(node, Resources.CPU_UTILISATION, (long) (second * SECOND), value);
  }
}
