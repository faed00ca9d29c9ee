package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.mesh.MeshFile;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Exchange;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.Utilisation;

/** A mesh of made requests, in which every trial has another throughput and another stall. */
final class MeshExample {
  private static final int SECONDS = 12;
  private static final int RAMP_UP_SECONDS = 2;
  private static final int RUN_SECONDS = SECONDS - RAMP_UP_SECONDS;
  private static final long MILLI = 1_000_000;
  private static final double[] BOUNDARIES = {6_000, 100_000, 500_000, 1_000_000};

  private MeshExample() {}

  /** Writes the mesh with the results of its trials into a directory named {@code mesh}. */
  static Mesh write(Path folder) {
    List<MeshTrial> trials = new ArrayList<>();
    for (int app = 1; app <= 2; app++) {
      for (int users = 100; users <= 200; users += 100) {
        for (int repeat = 0; repeat < 2; repeat++) {
          trials.add(trial(folder, app, users, repeat));
        }
      }
    }
    trials.add(failed(trials.getFirst()));
    Mesh mesh = new Mesh("example", Map.of("cores", "2"), trials);
    MeshFile.write(folder.resolve("mesh").resolve(MeshFile.NAME), mesh);
    return mesh;
  }

  private static MeshTrial failed(MeshTrial like) {
    return new MeshTrial(
        "failed",
        Status.FAILED,
        like.configuration(),
        like.users(),
        like.repeat() + 2,
        RUN_SECONDS,
        List.of(),
        1e6,
        List.of(),
        "trials/failed");
  }

  private static MeshTrial trial(Path folder, int app, int users, int repeat) {
    String key = "key%d%d%d".formatted(app, users, repeat);
    int number = 4 * app + users / 50 + repeat;
    RequestTable requests = requests(users + 10 * app + repeat, 150L + 50L * number);
    Path table = folder.resolve(key + ".parquet");
    ObservationFiles.writeRequests(table, requests);
    assertThat(
            Terrace.commandLine()
                .execute(
                    "analyze",
                    table.toString(),
                    "--quiet",
                    "--out=" + folder.resolve("mesh/trials/" + key)))
        .isZero();
    Event run =
        new Event(
            Server.CLIENTS,
            EventKinds.PHASE_RUN,
            RAMP_UP_SECONDS * 1_000 * MILLI,
            SECONDS * 1_000 * MILLI,
            Map.of());
    ObservationFiles.writeEvents(
        folder.resolve("mesh/trials").resolve(key).resolve(ObservationFiles.EVENTS), List.of(run));
    List<ClassOutcome> classes = classes(requests, run);
    long good = classes.stream().mapToLong(each -> each.count() - each.errors()).sum();
    return new MeshTrial(
        key,
        Status.DONE,
        new Configuration("1/" + app + "/0/1", "postgresql", Map.of(), Map.of()),
        users,
        repeat,
        RUN_SECONDS,
        classes,
        (double) good / RUN_SECONDS,
        List.of(use("app1", "cpu", number), use("app1", "threads", 2 * number)),
        "trials/" + key);
  }

  private static Utilisation use(String node, String resource, int number) {
    double[] values = new double[SECONDS + number % 3];
    Arrays.setAll(values, second -> (number + second % 4) / 40.0);
    return Utilisation.of(node, "app", resource, 1, values);
  }

  /** Pages at an even pace, all of which the server holds for a while in the middle. */
  private static RequestTable requests(int perSecond, long stallMillis) {
    RequestTable.Builder builder = new RequestTable.Builder();
    long stall = 6_000 * MILLI;
    for (int i = 0; i < perSecond * SECONDS; i++) {
      long arrival = i * 1_000L * MILLI / perSecond;
      long departure = arrival + (3 + i % 4) * MILLI;
      if (departure > stall && departure < stall + stallMillis * MILLI) {
        departure = stall + stallMillis * MILLI + (i % 7) * MILLI / 10;
      }
      Outcome outcome = i % 50 == 0 ? Outcome.ERROR : Outcome.OK;
      String page = i % 3 == 0 ? "buy" : "look";
      builder.accept(request("app1", page, arrival, departure, outcome));
      builder.accept(request(Server.CLIENTS, page, arrival, departure + MILLI / 2, outcome));
    }
    return builder.build();
  }

  private static Request request(
      String server, String page, long arrival, long departure, Outcome outcome) {
    return new Request(
        server,
        page,
        server.equals(Server.CLIENTS) ? "user" : "10.0.0.9",
        arrival,
        arrival,
        departure,
        0,
        0,
        outcome,
        1,
        Exchange.NONE,
        null);
  }

  private static List<ClassOutcome> classes(RequestTable requests, Event run) {
    Map<String, long[]> counts = new TreeMap<>();
    Map<String, Long> errors = new TreeMap<>();
    int clients = requests.servers().indexOf(Server.CLIENTS);
    for (int row = 0; row < requests.size(); row++) {
      if (requests.server(row) == clients
          && requests.departureNanos(row) >= run.startNanos()
          && requests.departureNanos(row) < run.endNanos()) {
        String name = requests.requestClasses().get(requests.requestClass(row));
        long[] bins = counts.computeIfAbsent(name, _ -> new long[BOUNDARIES.length + 1]);
        if (requests.outcome(row) == Outcome.ERROR) {
          errors.merge(name, 1L, Long::sum);
        } else {
          int at =
              Arrays.binarySearch(
                  BOUNDARIES, (requests.departureNanos(row) - requests.intendedNanos(row)) / 1e3);
          bins[at < 0 ? -at - 1 : at]++;
        }
      }
    }
    List<ClassOutcome> classes = new ArrayList<>();
    counts.forEach((name, bins) -> {
      long wrong = errors.getOrDefault(name, 0L);
      classes.add(
          new ClassOutcome(
              name,
              Arrays.stream(bins).sum() + wrong,
              wrong,
              LatencyHistogram.of(BOUNDARIES, bins)));
    });
    return classes;
  }
}
