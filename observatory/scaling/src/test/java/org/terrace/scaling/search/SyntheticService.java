package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;

/**
 * A service of 1 to 3 application and 1 to 9 database servers, whose response times come from a
 * closed network of queues (mean value analysis), with noise on all that a trial measures. A search
 * knows neither the queues nor the noise.
 */
final class SyntheticService {
  private static final double NOISE = 0.02;
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

  SyntheticService(RandomGenerator random) {
    this.random = random;
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
    return new SearchSpace(all, users, offered, 3_600 * offered * revenue, prices);
  }

  /** A trial, in which each demand is a little different and requests are counted. */
  SearchTrial trial(Configuration configuration) {
    double ofApp = noisy(app);
    double ofRead = noisy(read);
    double ofWrite = noisy(write);
    State state = solve(configuration, ofApp, ofRead, ofWrite);
    double counted = state.throughput() * RUN_SECONDS;
    double x = state.throughput() * (1 + random.nextGaussian() / Math.sqrt(counted));
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

  private double noisy(double value) {
    return value * (1 + NOISE * random.nextGaussian());
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
