package org.terrace.studies.scaleout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.Utilisation;

/** Trials that agree with every claim, and what to change in them. */
final class PlantedMesh {
  static final ScaleOutParameters PARAMETERS =
      new ScaleOutParameters(
          false,
          List.of(1, 2, 3),
          List.of(1, 2, 3, 4),
          List.of(50, 120, 300),
          List.of(3),
          1_000,
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          500,
          2,
          150,
          40,
          2);

  private static final int REPEATS = 3;
  private static final int SAMPLES = 40;

  /** Samples that tell independence from slight dependence. */
  private static final int MANY = 400;

  private static final double SECONDS = 10;
  static final String FAILURE = "servers-alive: app1 was killed";
  private static final double ASKED = 0.95;
  private static final long IN_TIME_MICROS = 500_000;

  private final Map<ScaleOutSetting, Double> most = new LinkedHashMap<>();
  private final Map<ScaleOutSetting, List<Utilisation>> samples = new HashMap<>();
  private double lateShare = 0.75;
  private double growth = 1.06;
  private Predicate<ScaleOutSetting> failing = _ -> false;

  private PlantedMesh() {}

  /** Trials by which every claim is reproduced. */
  static PlantedMesh agreeing() {
    PlantedMesh mesh = new PlantedMesh();
    mesh.carries(ScaleOutSetting.mariaDb(1, 1), 40).busy(ScaleOutSetting.mariaDb(1, 1), "app1");
    mesh.carries(ScaleOutSetting.mariaDb(1, 2), 40).busy(ScaleOutSetting.mariaDb(1, 2), "app1");
    mesh.carries(ScaleOutSetting.mariaDb(2, 1), 60)
        .busy(ScaleOutSetting.mariaDb(2, 1), "database1");
    mesh.carries(ScaleOutSetting.mariaDb(3, 1), 60)
        .busy(ScaleOutSetting.mariaDb(3, 1), "database1");
    mesh.carries(ScaleOutSetting.mariaDb(2, 2), 80)
        .busy(ScaleOutSetting.mariaDb(2, 2), "middleware1");
    mesh.carries(ScaleOutSetting.mariaDb(2, 4), 80)
        .busy(ScaleOutSetting.mariaDb(2, 4), "middleware1");
    mesh.carries(ScaleOutSetting.mariaDb(2, 4).first(), 80)
        .busy(ScaleOutSetting.mariaDb(2, 4).first(), "middleware1");
    mesh.carries(ScaleOutSetting.mariaDb(2, 1).browsed(), 60);
    mesh.carries(ScaleOutSetting.mariaDb(2, 4).browsed(), 110);
    mesh.carries(ScaleOutSetting.postgres(2, 1), 53).busy(ScaleOutSetting.postgres(2, 1), "none");
    mesh.carries(ScaleOutSetting.postgres(2, 2), 53).busy(ScaleOutSetting.postgres(2, 2), "none");
    mesh.carries(ScaleOutSetting.postgres(2, 2).first(), 70);
    mesh.carries(ScaleOutSetting.postgres(2, 1).direct(), 60)
        .busy(ScaleOutSetting.postgres(2, 1).direct(), "database1");
    mesh.carries(ScaleOutSetting.lowCost(2, 1), 20).shifting(ScaleOutSetting.lowCost(2, 1));
    mesh.carries(ScaleOutSetting.lowCost(2, 2), 30);
    mesh.carries(ScaleOutSetting.lowCost(2, 2).first(), 34);
    mesh.carries(ScaleOutSetting.lowCost(2, 3), 30);
    mesh.carries(ScaleOutSetting.lowCost(2, 4), 30).inTurns(ScaleOutSetting.lowCost(2, 4));
    mesh.carries(ScaleOutSetting.lowCost(2, 4).first(), 42)
        .atTimes(ScaleOutSetting.lowCost(2, 4).first());
    mesh.carries(ScaleOutSetting.ndbLike(2, 2), 50)
        .busy(ScaleOutSetting.ndbLike(2, 2), "database1");
    mesh.carries(ScaleOutSetting.ndbLike(2, 4), 65)
        .busy(ScaleOutSetting.ndbLike(2, 4), "database1");
    return mesh;
  }

  /** No trial. */
  static PlantedMesh empty() {
    return new PlantedMesh();
  }

  PlantedMesh carries(ScaleOutSetting setting, double throughput) {
    most.put(setting, throughput);
    return this;
  }

  PlantedMesh without(ScaleOutSetting setting) {
    most.remove(setting);
    return this;
  }

  /** Under the highest load so many times as many answers are in time, and such a part is late. */
  PlantedMesh overloaded(double times, double late) {
    growth = times;
    lateShare = late;
    return this;
  }

  /** All trials but the first of some configurations under each load fail. */
  PlantedMesh failing(Predicate<ScaleOutSetting> some) {
    failing = some;
    return this;
  }

  /** One server is saturated throughout, and no other ever. */
  PlantedMesh busy(ScaleOutSetting setting, String node) {
    List<Utilisation> all = new ArrayList<>();
    for (String tier : List.of("app", "middleware", "database")) {
      for (int number = 1; number <= setting.configuration().servers(tier); number++) {
        double value = node.equals(tier + number) ? 1 : 0.6;
        all.add(cpu(tier + number, tier, constant(value)));
      }
    }
    samples.put(setting, all);
    return this;
  }

  /** Now one database is saturated, now another, always one. */
  PlantedMesh inTurns(ScaleOutSetting setting) {
    SplittableRandom random = new SplittableRandom(5);
    int[] holders = new int[SAMPLES];
    Arrays.setAll(holders, _ -> random.nextInt(setting.databases()));
    return databases(setting, SAMPLES, (number, i) -> holders[i] == number ? 1 : 0.4);
  }

  /** Each database is saturated at times, independently of the others. */
  PlantedMesh atTimes(ScaleOutSetting setting) {
    SplittableRandom random = new SplittableRandom(6);
    return databases(setting, MANY, (_, _) -> random.nextInt(2) == 0 ? 1 : 0.4);
  }

  /** All databases are saturated at the same times, for three samples each, and idle for three. */
  PlantedMesh together(ScaleOutSetting setting) {
    return databases(setting, SAMPLES, (_, i) -> i / 3 % 2 == 0 ? 1 : 0.4);
  }

  /** All databases are saturated all the time. */
  PlantedMesh throughout(ScaleOutSetting setting) {
    return databases(setting, SAMPLES, (_, _) -> 1);
  }

  private interface Value {
    double at(int number, int sample);
  }

  private PlantedMesh databases(ScaleOutSetting setting, int count, Value value) {
    List<Utilisation> all = new ArrayList<>();
    for (int number = 0; number < setting.databases(); number++) {
      double[] values = new double[count];
      for (int i = 0; i < count; i++) {
        values[i] = value.at(number, i);
      }
      all.add(cpu("database" + (number + 1), "database", values));
    }
    samples.put(setting, all);
    return this;
  }

  /** The only database uses now its processor, now its disk. */
  PlantedMesh shifting(ScaleOutSetting setting) {
    double[] cpu = new double[SAMPLES];
    double[] disk = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      cpu[i] = i % 2 == 0 ? 1 : 0.3;
      disk[i] = i % 2 == 0 ? 0.3 : 1;
    }
    samples.put(
        setting,
        List.of(
            cpu("database1", "database", cpu),
            Utilisation.of("database1", "database", "disk", 0.5, disk)));
    return this;
  }

  /** The disk of the only database is in use by half, always. */
  PlantedMesh steadyDisk(ScaleOutSetting setting) {
    List<Utilisation> all = new ArrayList<>(samples.getOrDefault(setting, List.of()));
    all.removeIf(each -> each.resource().equals("disk"));
    all.add(Utilisation.of("database1", "database", "disk", 0.5, constant(0.5)));
    samples.put(setting, all);
    return this;
  }

  private static Utilisation cpu(String node, String tier, double[] values) {
    return Utilisation.of(node, tier, "cpu", 0.5, values);
  }

  private static double[] constant(double value) {
    double[] values = new double[SAMPLES];
    Arrays.fill(values, value);
    return values;
  }

  ScaleOutResults results() {
    return ScaleOutResults.of(PARAMETERS, mesh(), "", "", 1);
  }

  private Mesh mesh() {
    List<MeshTrial> trials = new ArrayList<>();
    most.forEach((setting, throughput) -> {
      for (int users : PARAMETERS.users()) {
        for (int repeat = 0; repeat < REPEATS; repeat++) {
          trials.add(
              repeat > 0 && failing.test(setting)
                  ? failed(setting, users, repeat)
                  : trial(setting, throughput, users, repeat));
        }
      }
    });
    return new Mesh("planted", Map.of("cores", "2"), trials);
  }

  private static MeshTrial failed(ScaleOutSetting setting, int users, int repeat) {
    return new MeshTrial(
            "%s-%d-%d".formatted(setting, users, repeat),
            Status.FAILED,
            setting.configuration(),
            users,
            repeat,
            0,
            List.of(),
            0,
            List.of(),
            "trials/x")
        .withFailure(FAILURE);
  }

  private MeshTrial trial(ScaleOutSetting setting, double carried, int users, int repeat) {
    double noise = 1 + 0.005 * (repeat - 1);
    double throughput = Math.min(ASKED * users, carried) * noise;
    boolean over = users == PARAMETERS.users().getLast();
    long inTime = Math.round(SECONDS * throughput * (over ? growth : 1));
    long late = over ? Math.round(SECONDS * throughput * lateShare) : 0;
    LatencyHistogram latency =
        LatencyHistogram.of(
            new double[] {IN_TIME_MICROS, 20 * IN_TIME_MICROS}, new long[] {inTime, 0, late});
    return new MeshTrial(
        "%s-%d-%d".formatted(setting, users, repeat),
        Status.DONE,
        setting.configuration(),
        users,
        repeat,
        SECONDS,
        List.of(new ClassOutcome("GET /", inTime + late, 0, latency)),
        throughput,
        samples.getOrDefault(setting, List.of()),
        "trials/x");
  }
}
