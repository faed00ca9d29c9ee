package org.terrace.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;

/** Made-up trials and prices to plan with. */
public final class PlanTrials {
  public static final Configuration ONE =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());

  private PlanTrials() {}

  /** A trial that failed, of which there is no figure. */
  public static MeshTrial failed(Configuration configuration, int users, int repeat) {
    return without(Status.FAILED, configuration, users, repeat);
  }

  public static MeshTrial without(
      Status status, Configuration configuration, int users, int repeat) {
    return new MeshTrial(
        configuration.label() + users + repeat,
        status,
        configuration,
        users,
        repeat,
        0,
        List.of(),
        0,
        List.of(),
        "trials/x");
  }

  public static MeshTrial trial(Configuration configuration, int users, int repeat, long count) {
    return trial(Status.DONE, configuration, users, repeat, count);
  }

  private static MeshTrial trial(
      Status status, Configuration configuration, int users, int repeat, long count) {
    return new MeshTrial(
        configuration.label() + users + repeat,
        status,
        configuration,
        users,
        repeat,
        100,
        List.of(
            new ClassOutcome(
                "Home",
                count,
                0,
                LatencyHistogram.of(new double[] {500_000}, new long[] {count, 0}))),
        count / 100.0,
        List.of(),
        "trials/x");
  }

  /** One application server answers 10 requests a second, two answer 15. */
  public static Mesh mesh(Status status) {
    List<MeshTrial> trials = new ArrayList<>();
    for (int app = 1; app <= 2; app++) {
      for (int repeat = 0; repeat < 2; repeat++) {
        trials.add(
            trial(status, ONE.withServers("app", app), 200, repeat, 500L + 500L * app + repeat));
      }
    }
    return new Mesh("two", Map.of("cores", "2"), trials);
  }

  /** Prices of servers, and of requests within a second, in a file of a directory. */
  public static Path prices(Path directory, String name, String server) throws IOException {
    return Files.writeString(
        directory.resolve(name),
        "kind: Prices\nservers: {normal: "
            + server
            + "}\nrequests: {others: {within: 1s, revenue: 0.001}}\n");
  }
}
