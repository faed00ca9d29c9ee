package org.terrace.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.mesh.MeshFile;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.report.ResultDirectory;
import org.terrace.report.TrialFacts;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;
import org.terrace.testing.TcpCapture;

/** Results as the commands leave them, made without running anything. */
final class SampleResults {
  /** The start of all observations. */
  static final long START_NANOS = 1_795_342_500_000_000_000L;

  /** The moment at which the server comes to a stand. */
  static final long STALL_NANOS = START_NANOS + 4_000_000_000L;

  static final long STALL_END_NANOS = STALL_NANOS + 400_000_000L;

  /** The address of the server in the capture. */
  static final String ADDRESS = "127.0.2.1";

  private static final int REQUESTS = 2_000;
  private static final long EVERY_NANOS = 5_000_000;
  private static final int SAMPLES = 60;

  private SampleResults() {}

  /** The files of each analysis that was made, by its name and the time of its requests. */
  private static final Map<String, Map<String, byte[]>> MADE = new ConcurrentHashMap<>();

  /**
   * An analysis of requests that take about so long, with one stall of 0.4 s, as {@code terrace
   * report} leaves it. It is made once for each name and time, and then copied.
   */
  static Path analysis(Path directory, int micros) {
    String key = directory.getFileName() + " " + micros;
    try {
      if (MADE.containsKey(key)) {
        for (Map.Entry<String, byte[]> file : MADE.get(key).entrySet()) {
          Path place = directory.resolve(file.getKey());
          Files.createDirectories(place.resolveSibling(""));
          Files.write(place, file.getValue());
        }
      } else {
        make(directory, micros);
        MADE.put(key, files(directory));
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, byte[]> files(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private static void make(Path directory, int micros) throws IOException {
    StringBuilder text = new StringBuilder("server,arrivalNanos,departureNanos\n");
    for (int request = 0; request < REQUESTS; request++) {
      long arrival = START_NANOS + request * EVERY_NANOS;
      long departure = arrival + micros * 1_000L + request % 97 * 1_000L;
      if (departure > STALL_NANOS && arrival < STALL_END_NANOS) {
        departure = STALL_END_NANOS + (arrival - STALL_NANOS) / 100 + 100_000;
        departure = Math.max(departure, arrival + micros * 1_000L);
      }
      text.append(String.format(Locale.ROOT, "app1,%d,%d%n", arrival, departure));
    }
    Files.createDirectories(directory);
    Path table = Files.writeString(directory.resolveSibling("table.csv"), text);
    Observation observation = ObservationFiles.readAny(table);
    ResultDirectory.write(
        directory,
        observation,
        Analysis.analyze(observation, AnalysisOptions.defaults()),
        TrialFacts.of(String.valueOf(directory.getFileName()), "./terrace analyze", observation));
    Files.delete(table);
    ResultDirectory.render(directory, AnalysisOptions.defaults());
  }

  /** Puts a capture beside an analysis: a packet each way every 5 ms, of two servers. */
  static void capture(Path directory) throws IOException {
    Files.writeString(
        directory.resolve("trial.json"),
        """
        {"format": "terrace-trial/1", "servers": [
          {"name": "app1", "tier": "app", "addresses": ["%s:8080"]}]}
        """
            .formatted(ADDRESS));
    try (TcpCapture capture = TcpCapture.to(directory.resolve("capture.pcapng"))) {
      TcpCapture.Connection own = capture.connection("127.0.9.1", 40_000, ADDRESS, 8080);
      TcpCapture.Connection other = capture.connection("127.0.9.1", 40_001, "127.0.3.1", 5432);
      for (int request = 0; request < REQUESTS; request++) {
        long at = START_NANOS + request * EVERY_NANOS;
        own.send(true, at, "GET / HTTP/1.1\r\n\r\n");
        other.send(true, at + 1_000, "select 1");
        own.send(false, at + 2_000, "HTTP/1.1 204 No Content\r\n\r\n");
      }
    }
  }

  /** A mesh of as many application and database servers, loads and repeats. */
  static Mesh mesh(int apps, int databases, int loads, int repeats) {
    List<MeshTrial> trials = new ArrayList<>();
    for (int app = 1; app <= apps; app++) {
      for (int database = 1; database <= databases; database++) {
        Configuration configuration =
            new Configuration(
                "1/" + app + "/0/" + database, "postgresql", Map.of("database", "L"), Map.of());
        for (int load = 1; load <= loads; load++) {
          for (int repeat = 0; repeat < repeats; repeat++) {
            trials.add(trial(configuration, 500 * load, repeat));
          }
        }
      }
    }
    return new Mesh("scale-out", Map.of("cores", "2"), trials);
  }

  /** A file of prices that no slider's steps meet. */
  static final String PRICES_OF_FOUR_DIGITS =
      """
      kind: Prices
      currency: EUR
      servers: {normal: 3.0451, L: 1.5049}
      requests:
        StoreStory: {within: 1049ms, revenue: 0.00010246, penalty: 0.00020493}
        others: {within: 1s, revenue: 0.00004246, penalty: 0.00004249}
      """;

  /** Leaves a mesh as the command does. */
  static Path mesh(Path directory, Mesh mesh) throws IOException {
    Files.createDirectories(directory);
    MeshFile.write(directory.resolve(MeshFile.NAME), mesh);
    Files.writeString(
        directory.resolve("prices.yaml"),
        """
        kind: Prices
        currency: EUR
        servers: {normal: 3.0, L: 1.5}
        requests:
          StoreStory: {within: 2s, revenue: 0.0001, penalty: 0.0002}
          others: {within: 1s, revenue: 0.00004, penalty: 0.00004}
        """);
    return directory;
  }

  private static MeshTrial trial(Configuration configuration, int users, int repeat) {
    double offered = users / 7.0;
    double app = 90.0 * configuration.servers("app");
    double database =
        70.0 * configuration.servers("database") / (1 + 0.1 * configuration.servers("database"));
    double capacity = Math.min(app, database);
    double noise = 1 + 0.004 * ((users / 500 * 7 + repeat * 5) % 5 - 2);
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
        "trials/" + configuration.topology().replace('/', '-') + "-" + users + "-" + repeat);
  }

  private static Utilisation samples(String node, String tier, double mean) {
    double[] values = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      values[i] = mean > 0.98 ? 0.97 + 0.0005 * i : mean + 0.05 * (i % 10 / 10.0 - 0.5);
    }
    return Utilisation.of(node, tier, "cpu", 1, values);
  }
}
