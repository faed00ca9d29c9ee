package org.terrace.report.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.BottleneckMap;
import org.terrace.scaling.bottleneck.SaturationRules;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.scaling.economy.Terms;

/**
 * A mesh whose trials are made up, from a fixed seed: capacities by servers, response times by
 * load.
 */
public final class SyntheticMesh {
  private static final int SAMPLES = 60;

  private final SplittableRandom random = new SplittableRandom(7);

  private SyntheticMesh() {}

  /** A mesh of as many application and database servers, loads and repeats. */
  public static Mesh mesh(int apps, int databases, int loads, int repeats) {
    SyntheticMesh maker = new SyntheticMesh();
    List<MeshTrial> trials = new ArrayList<>();
    for (int app = 1; app <= apps; app++) {
      for (int database = 1; database <= databases; database++) {
        Configuration configuration =
            new Configuration(
                "1/" + app + "/0/" + database, "postgresql", Map.of("database", "L"), Map.of());
        for (int load = 1; load <= loads; load++) {
          for (int repeat = 0; repeat < repeats; repeat++) {
            trials.add(maker.trial(configuration, 500 * load, repeat));
          }
        }
      }
    }
    return new Mesh("scale-out", Map.of("cores", "2"), trials);
  }

  /** The mesh with prices, a day and all that follows of them. */
  static PlannedMesh planned(Mesh mesh) {
    List<Prices.DayLoad> day =
        List.of(
            new Prices.DayLoad(0, 400),
            new Prices.DayLoad(480, 1_900),
            new Prices.DayLoad(1_320, 900));
    Prices prices =
        new Prices(
            "EUR",
            Map.of("normal", 3.0, "L", 1.5),
            Map.of("StoreStory", new Terms(2_000, 0.0001, 0.0002)),
            new Terms(1_000, 0.00004, 0.00004),
            day,
            0.5);
    Plan plan = Plan.of(mesh, prices);
    return new PlannedMesh(
        mesh,
        BottleneckMap.of(mesh, SaturationRules.DEFAULT, 1),
        plan,
        answer(mesh, plan),
        "prices.yaml",
        Path.of("mesh"));
  }

  /** The answer of a mesh whose trials were all run: the best at each load. */
  private static SearchAnswer answer(Mesh mesh, Plan plan) {
    List<FoundBest> best = new ArrayList<>();
    for (LoadChoice choice : plan.choices()) {
      ProfitCell cell = choice.best();
      best.add(
          new FoundBest(
              choice.users(),
              cell.configuration(),
              cell.repeats(),
              cell.profitPerHour(),
              cell.low(),
              cell.high(),
              1 + choice.rivals().size(),
              choice.ties().stream().map(tie -> tie.cell().configuration()).toList(),
              cell.failed().count(),
              choice.failing()));
    }
    int trials = mesh.trials().size();
    return new SearchAnswer(
        SearchMethod.FULL, true, trials, trials, 0, "EUR", best, List.of(), List.of());
  }

  private MeshTrial trial(Configuration configuration, int users, int repeat) {
    double offered = users / 7.0;
    double app = 90.0 * configuration.servers("app");
    double database =
        70.0 * configuration.servers("database") / (1 + 0.1 * configuration.servers("database"));
    double capacity = Math.min(app, database);
    double noise = 1 + 0.01 * (random.nextDouble() - 0.5);
    double throughput = noise * Math.min(offered, capacity);
    double late = Math.clamp((offered / capacity - 0.8) * 1.5, 0.001, 0.95);
    List<ClassOutcome> classes = new ArrayList<>();
    for (String name : List.of("StoreStory", "ViewStory")) {
      long count = Math.round(throughput * 100 / 2);
      long slow = Math.round(count * late);
      classes.add(
          new ClassOutcome(
              name,
              count,
              0,
              LatencyHistogram.of(
                  new double[] {100_000, 1_000_000, 2_000_000},
                  new long[] {count - slow, 0, 0, slow})));
    }
    List<Utilisation> utilisation = new ArrayList<>();
    for (int i = 1; i <= configuration.servers("app"); i++) {
      utilisation.add(samples("app" + i, "app", throughput / app));
    }
    for (int i = 1; i <= configuration.servers("database"); i++) {
      utilisation.add(samples("database" + i, "database", throughput / database));
    }
    return new MeshTrial(
        configuration.label() + users + "-" + repeat,
        MeshTrial.Status.DONE,
        configuration,
        users,
        repeat,
        100,
        classes,
        throughput,
        utilisation,
        "trials/x");
  }

  private Utilisation samples(String node, String tier, double mean) {
    double[] values = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      values[i] =
          mean > 0.98
              ? 0.97 + 0.03 * random.nextDouble()
              : mean + 0.05 * (random.nextDouble() - 0.5);
    }
    return Utilisation.of(node, tier, "cpu", 1, values);
  }
}
