package org.terrace.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.terrace.observation.ObservedConnection.Beginning;
import org.terrace.observation.ObservedConnection.Ending;

/** Observations whose whole content follows from a seed. */
final class RandomObservations {
  static final long START_NANOS = 1_790_000_000_000_000_000L;

  private static final List<String> CLASSES =
      List.of("GET /story/{n}", "select * from story where id = ?", "POST /ü\"',\n", "");

  private RandomObservations() {}

  static RequestTable requests(RandomGenerator random, int count) {
    RequestTable.Builder builder = new RequestTable.Builder();
    long arrival = START_NANOS;
    for (int i = 0; i < count; i++) {
      arrival += random.nextLong(100_000);
      builder.accept(
          new Request(
                  random.nextBoolean() ? "app1" : "db1",
                  CLASSES.get(random.nextInt(CLASSES.size())),
                  "user-" + random.nextInt(50),
                  arrival - random.nextLong(1_000_000),
                  arrival,
                  arrival + random.nextLong(50_000_000),
                  random.nextLong(2_000),
                  random.nextLong(Integer.MAX_VALUE * 4L),
                  Outcome.values()[random.nextInt(Outcome.values().length)],
                  random.nextInt(),
                  random.nextBoolean() ? Exchange.NONE : exchange(random, arrival, i),
                  random.nextBoolean() ? 0 : random.nextLong(Long.MAX_VALUE),
                  random.nextBoolean() ? null : trace(random, i))
              .withRecorded(random.nextBoolean() ? null : recorded(random, arrival)));
    }
    return builder.build();
  }

  private static PointTimes recorded(RandomGenerator random, long timeNanos) {
    return new PointTimes(
        random.nextBoolean() ? "app" : "web, \"1\"",
        timeNanos - random.nextLong(5_000_000_000L),
        timeNanos - random.nextLong(5_000_000_000L));
  }

  private static Exchange exchange(RandomGenerator random, long arrival, long row) {
    return new Exchange(
        random.nextBoolean() ? Exchange.UNKNOWN : arrival + random.nextLong(1_000),
        random.nextBoolean() ? Exchange.UNKNOWN : arrival + random.nextLong(2_000),
        1 + 4 * row,
        1 + 4 * row + random.nextLong(100));
  }

  private static TraceContext trace(RandomGenerator random, long span) {
    return new TraceContext(
        span - random.nextLong(50),
        span,
        random.nextBoolean() ? TraceContext.NO_PARENT : span - random.nextLong(50),
        random.nextDouble(),
        random.nextBoolean() ? "traceparent" : "timing");
  }

  static Observation observation(RandomGenerator random, int count) {
    List<Sample> samples = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = START_NANOS + random.nextLong(60_000_000_000L);
      samples.add(new Sample("app1", "cpu", at, random.nextDouble()));
      Map<String, String> attributes =
          switch (random.nextInt(3)) {
            case 0 -> Map.of();
            case 1 -> Map.of("cause", "Allocation \"Failure\"");
            default -> Map.of("cause", "kill", "signal", "9", "pid", String.valueOf(i));
          };
      events.add(
          new Event("db1", EventKinds.GC_PAUSE, at, at + random.nextLong(1_000), attributes));
    }
    return new Observation(
        List.of(
            new Server("app1", "app", List.of("127.0.2.1:8080", "127.0.2.1:8081")),
            new Server("db1", "database", List.of())),
        requests(random, count),
        samples,
        events,
        connections(random, count));
  }

  private static List<ObservedConnection> connections(RandomGenerator random, int count) {
    List<ObservedConnection> connections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = START_NANOS + random.nextLong(60_000_000_000L);
      connections.add(
          new ObservedConnection(
              i,
              "db1",
              "127.0.2.1:" + random.nextInt(1 << 16),
              "[::1]:5432",
              "PostgreSQL",
              "first bytes of the client",
              random.nextBoolean() ? ObservedConnection.UNKNOWN : random.nextLong(1L << 32),
              1 + random.nextInt(100),
              1 + random.nextLong(1L << 33),
              at,
              at + random.nextLong(1_000),
              Beginning.values()[random.nextInt(Beginning.values().length)],
              Ending.values()[random.nextInt(Ending.values().length)],
              random.nextLong(1L << 33),
              random.nextLong(1L << 33),
              random.nextInt(5),
              random.nextBoolean() ? null : recorded(random, at)));
    }
    return connections;
  }

  static List<Request> rows(RequestTable table) {
    return java.util.stream.IntStream.range(0, table.size()).mapToObj(table::request).toList();
  }
}
