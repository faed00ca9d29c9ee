package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;

/**
 * A service of 1 to 3 application and 1 to 9 database servers, whose response times come from a
 * closed network of queues (mean value analysis), with noise on all that a trial measures. A search
 * knows neither the queues nor the noise.
 */
final class SyntheticService {
  /** The deviation of all that a trial measures, as a share of it. */
  static final double NOISE = 0.02;

  private static final double RUN_SECONDS = 300;
  private static final double THINK_SECONDS = 7;

  private final RandomGenerator random;
  private final int users;
  private final double app;
  private final double read;
  private final double write;
  private final double threshold;
  private final double revenue;
  private final double penalty;
  private final double shape;
  private final Prices prices;

  private final double noise;

  SyntheticService(RandomGenerator random) {
    this(random, NOISE);
  }

  /**
   * A service in which all that a trial measures has a deviation, as a share of it, besides that of
   * counting requests; with 0 a trial measures the truth.
   */
  SyntheticService(RandomGenerator random, double noise) {
    this.random = random;
    this.noise = noise;
    users = 500 + random.nextInt(3_500);
    double offered = users / THINK_SECONDS;
    // Demands such that between one and all servers of each tier are needed.
    app = (0.4 + 2 * random.nextDouble()) / offered;
    read = (0.5 + 6 * random.nextDouble()) / offered;
    write = (0.02 + 0.3 * random.nextDouble()) / offered;
    threshold = 0.1 + 1.9 * random.nextDouble();
    shape = 1 + 2 * random.nextDouble();
    revenue = 0.001;
    penalty = 2 * revenue * random.nextDouble();
    double income = 3_600 * offered * revenue;
    prices =
        new Prices(
            "EUR",
            Map.of(Configuration.NORMAL, income * (0.1 + 0.4 * random.nextDouble()) / 13),
            Map.of(),
            new Terms(1_000 * threshold, revenue, penalty),
            List.of(),
            0);
  }

  SearchSpace space() {
    List<Configuration> all = new ArrayList<>();
    for (int a = 1; a <= 3; a++) {
      for (int d = 1; d <= 9; d++) {
        all.add(new Configuration("1/" + a + "/0/" + d, "postgresql", Map.of(), Map.of()));
      }
    }
    double offered = users / THINK_SECONDS;
    return new SearchSpace(
        all, users, offered, 3_600 * offered * revenue, prices, Set.of(), Set.of());
  }

  /** A trial, in which each demand is a little different and requests are counted. */
  SearchTrial trial(Configuration configuration) {
    double ofApp = noisy(app);
    double ofRead = noisy(read);
    double ofWrite = noisy(write);
    State state = solve(configuration, ofApp, ofRead, ofWrite);
    double counted = state.throughput() * RUN_SECONDS;
    double counting = noise > 0 ? random.nextGaussian() / Math.sqrt(counted) : 0;
    double x = state.throughput() * (1 + counting);
    State seen = new State(x, state.response());
    return new SearchTrial(
        configuration,
        users,
        x,
        income(seen) - prices.costPerHour(configuration),
        success(state.response()),
        Map.of(
            "app",
            Math.clamp(x * noisy(ofApp) / configuration.servers("app"), 0, 1),
            "database",
            Math.clamp(x * noisy(ofRead / configuration.servers("database") + ofWrite), 0, 1)));
  }

  /** The same as a mesh records it: requests in bins, samples of processors. */
  MeshTrial trial(SearchCandidate candidate) {
    SearchTrial trial = trial(candidate.configuration());
    long count = Math.round(trial.throughputPerSecond() * RUN_SECONDS);
    long good = Math.round(count * trial.successShare());
    List<Utilisation> samples = new ArrayList<>();
    trial
        .busy()
        .forEach((tier, busy) ->
            samples.add(Utilisation.of(tier + "1", tier, "cpu", 1, new double[] {busy, busy})));
    samples.add(Utilisation.of("app1", "app", "threads", 1, new double[] {1, 1}));
    return counted(candidate, good, count, 1e6 * threshold, samples);
  }

  /** A trial of so many good requests, within 0.1 s, and so many in all. */
  static MeshTrial counted(SearchCandidate candidate, long good, long count) {
    return counted(candidate, good, count, 100_000, List.of());
  }

  /** A trial that failed. */
  static MeshTrial failed(SearchCandidate candidate) {
    return new MeshTrial(
        "failed",
        MeshTrial.Status.FAILED,
        candidate.configuration(),
        candidate.users(),
        candidate.repeat(),
        0,
        List.of(),
        0,
        List.of(),
        "trials/made-up");
  }

  private static MeshTrial counted(
      SearchCandidate candidate,
      long good,
      long count,
      double thresholdMicros,
      List<Utilisation> samples) {
    LatencyHistogram latency =
        LatencyHistogram.of(
            new double[] {thresholdMicros, 2 * thresholdMicros},
            new long[] {good, count - good, 0});
    return new MeshTrial(
        candidate.configuration().label() + candidate.users() + candidate.repeat(),
        MeshTrial.Status.DONE,
        candidate.configuration(),
        candidate.users(),
        candidate.repeat(),
        RUN_SECONDS,
        List.of(new ClassOutcome("GET /", count, 0, latency)),
        count / RUN_SECONDS,
        samples,
        "trials/made-up");
  }

  /** All trials of a mesh of this service. */
  List<SearchCandidate> candidates(int repeats) {
    List<SearchCandidate> candidates = new ArrayList<>();
    for (int repeat = 0; repeat < repeats; repeat++) {
      for (Configuration each : space().configurations()) {
        candidates.add(new SearchCandidate(each, users, repeat, users / THINK_SECONDS));
      }
    }
    return candidates;
  }

  private double noisy(double value) {
    return value * (1 + noise * random.nextGaussian());
  }

  /** The profit without noise. */
  double profit(Configuration configuration) {
    return income(solve(configuration, app, read, write)) - prices.costPerHour(configuration);
  }

  private double income(State state) {
    double good = success(state.response());
    return 3_600 * state.throughput() * (revenue * good - penalty * (1 - good));
  }

  private double success(double response) {
    return 1 - Math.exp(-Math.pow(threshold / response, shape));
  }

  /** Throughput per second and mean response time in seconds. */
  private record State(double throughput, double response) {}

  private State solve(Configuration configuration, double app, double read, double write) {
    int a = configuration.servers("app");
    int d = configuration.servers("database");
    double appQueue = 0;
    double databaseQueue = 0;
    double x = 0;
    double response = 0;
    for (int n = 1; n <= users; n++) {
      double atApp = app / a * (1 + appQueue);
      double atDatabase = (read / d + write) * (1 + databaseQueue);
      response = a * atApp + read / (read / d + write) * atDatabase + 0.002;
      x = n / (THINK_SECONDS + response);
      appQueue = x * atApp;
      databaseQueue = x * atDatabase;
    }
    return new State(x, response);
  }
}
