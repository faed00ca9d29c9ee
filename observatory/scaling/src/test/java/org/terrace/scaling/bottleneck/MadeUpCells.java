package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.Utilisation;

/** Meshes whose throughput and samples are told. Confined to one thread. */
final class MadeUpCells {
  /** A load under which nothing is held back, and two under which everything is. */
  static final List<Integer> USERS = List.of(10, 200, 400);

  /** Samples that tell what there is to tell. */
  static final int MANY = 60;

  private static final double[] NOISE = {-0.01, 0.01, 0};

  private final List<MeshTrial> trials = new ArrayList<>();

  static Configuration configuration(int databases) {
    return new Configuration("1/2/1/" + databases, "mariadb", Map.of(), Map.of());
  }

  /** Adds a configuration that carries so much, in so many repeats, and no samples. */
  MadeUpCells carries(Configuration configuration, double most, int repeats) {
    return carries(configuration, most, repeats, List.of());
  }

  /** Adds a configuration with the samples of its servers under every load. */
  MadeUpCells carries(
      Configuration configuration, double most, int repeats, List<Utilisation> samples) {
    return carries(configuration, most, Collections.nCopies(repeats, samples));
  }

  /** Adds a configuration with the samples of its servers in each repeat, under every load. */
  MadeUpCells carries(
      Configuration configuration, double most, List<List<Utilisation>> samplesOfRepeats) {
    for (int users : USERS) {
      for (int repeat = 0; repeat < samplesOfRepeats.size(); repeat++) {
        double throughput = Math.min(users, most) * (1 + NOISE[repeat % NOISE.length]);
        trials.add(
            new MeshTrial(
                configuration.label() + users + "-" + repeat,
                Status.DONE,
                configuration,
                users,
                repeat,
                10,
                List.of(),
                throughput,
                samplesOfRepeats.get(repeat),
                "trials/x"));
      }
    }
    return this;
  }

  /** Lets three of a hundred requests to a configuration fail under a load. */
  MadeUpCells failsUnder(Configuration configuration, int users) {
    LatencyHistogram latency = LatencyHistogram.of(new double[] {100_000}, new long[] {97, 0});
    trials.replaceAll(trial ->
        trial.configuration().equals(configuration) && trial.users() == users
            ? new MeshTrial(
                trial.key(),
                trial.status(),
                configuration,
                users,
                trial.repeat(),
                trial.seconds(),
                List.of(new ClassOutcome("page", 100, 3, latency)),
                trial.throughputPerSecond(),
                trial.utilisation(),
                trial.folder())
            : trial);
    return this;
  }

  Mesh mesh() {
    return new Mesh("made-up", Map.of(), trials);
  }

  BottleneckMap map() {
    return BottleneckMap.of(mesh(), SaturationRules.DEFAULT, 1);
  }

  PeakJudge peaks() {
    return new PeakJudge(mesh(), map());
  }

  SaturationJudge saturation() {
    return new SaturationJudge(mesh(), map());
  }

  KindJudge kinds() {
    return new KindJudge(mesh(), map());
  }

  /** The samples of a processor. */
  static Utilisation cpu(String tier, int number, double... values) {
    return Utilisation.of(tier + number, tier, "cpu", 1, values);
  }

  /** As many samples, all alike. */
  static double[] always(double value, int count) {
    double[] values = new double[count];
    Arrays.fill(values, value);
    return values;
  }

  /** Samples that are full in turns of so many servers: at this one's turn. */
  static double[] inTurn(int turn, int servers, int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = i % servers == turn ? 1 : 0.4;
    }
    return values;
  }

  /** As many samples of one server of each tier, all alike. */
  static List<Utilisation> use(double app, double middleware, double database) {
    return List.of(
        cpu("app", 1, always(app, MANY)),
        cpu("middleware", 1, always(middleware, MANY)),
        cpu("database", 1, always(database, MANY)));
  }

  /** Databases of which one, whichever, is full at each sample. */
  static List<Utilisation> turns(int servers, int count) {
    SplittableRandom random = new SplittableRandom(3);
    int[] holders = new int[count];
    Arrays.setAll(holders, _ -> random.nextInt(servers));
    List<Utilisation> samples = new ArrayList<>();
    for (int turn = 0; turn < servers; turn++) {
      int own = turn;
      double[] values = new double[count];
      Arrays.setAll(values, i -> holders[i] == own ? 1 : 0.4);
      samples.add(cpu("database", turn + 1, values));
    }
    return samples;
  }
}
