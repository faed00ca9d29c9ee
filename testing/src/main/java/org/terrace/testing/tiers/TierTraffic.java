package org.terrace.testing.tiers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.terrace.testing.tiers.TierPrograms.Program;
import org.terrace.testing.tiers.TierPrograms.Step;

/**
 * Traffic of a service of four tiers whose truth is known: clients ask {@code web}, which asks
 * {@code app} once or twice, which asks {@code db} always and {@code store} half of the time. Every
 * tier has processors that requests wait for in turn, and pauses as a whole; connections come from
 * pools. Deterministic for its seed.
 *
 * <p>Takes memory for all calls, some five a request.
 */
public final class TierTraffic {
  private static final long START = 1_700_000_000_000_000_000L;

  /** Nanoseconds on the way from one server to another: at least, and added by chance. */
  private static final long WAY = 2_000;

  private static final int WAY_MORE = 6_000;

  private final RandomGenerator random;
  private final TrafficShape shape;
  private final TierPrograms programs;
  private final Processors clock;
  private final Map<String, Processors.Tier> tiers = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Deque<Integer>> pools = new HashMap<>();
  private int connections;
  private int ids;
  private int begun;

  /** A finished call with its own number; its parent is a number, not a place. */
  private record Row(int id, TierCall call) {}

  /** A request at a server, while it is there. */
  private record Open(
      Program program,
      String client,
      int connection,
      int id,
      int parent,
      long identifier,
      long start,
      Map<String, Integer> kept) {}

  private TierTraffic(TrafficShape shape, RandomGenerator random) {
    this.shape = shape;
    this.random = random;
    programs = new TierPrograms(shape, random);
    clock = new Processors(random, START);
    for (String name : List.of("web", "app", "db", "store")) {
      int processors = shape.single() ? 1 : name.equals("app") ? 4 : 3;
      tiers.put(name, clock.new Tier(processors, !shape.single()));
    }
  }

  /** All calls of such traffic, in the order of their start. */
  public static List<TierCall> of(TrafficShape shape, RandomGenerator random) {
    return new TierTraffic(shape, random).result();
  }

  private List<TierCall> result() {
    for (int client = 0; client < shape.clients(); client++) {
      int number = client;
      clock.at(START + random.nextLong(1_000_000), () -> client(number));
    }
    clock.run();
    List<Row> seen = new ArrayList<>();
    for (Row row : rows) {
      if (random.nextDouble() >= shape.lost()) {
        boolean ahead = row.call.server().equals("db");
        seen.add(new Row(row.id, ahead ? row.call.shifted(shape.offsetNanos()) : row.call));
      }
    }
    seen.sort(
        Comparator.comparingLong((Row row) -> row.call.startNanos()).thenComparingInt(Row::id));
    Map<Integer, Integer> places = new HashMap<>();
    for (int place = 0; place < seen.size(); place++) {
      places.put(seen.get(place).id, place);
    }
    return seen.stream()
        .map(row -> row.call.withParent(places.getOrDefault(row.call.parent(), -1)))
        .toList();
  }

  private void client(int number) {
    if (begun++ >= shape.requests()) {
      return;
    }
    long identifier = random.nextDouble() < shape.identified() ? 1 + (random.nextLong() >>> 1) : 0;
    serve(
        open(programs.page(), "browser" + number, -1 - number, -1, identifier),
        () -> {
          double thinking = GapDistribution.gamma(random, 1, shape.thinkMicros());
          clock.at(clock.now() + Math.round(thinking * 1_000), () -> client(number));
        });
  }

  private Open open(Program program, String client, int connection, int parent, long identifier) {
    int id = ids++;
    return new Open(
        program, client, connection, id, parent, identifier, clock.now(), new HashMap<>());
  }

  private void serve(Open request, Runnable answered) {
    step(request, 0, () -> answer(request, answered));
  }

  private void answer(Open request, Runnable answered) {
    String server = request.program.server();
    request.kept.forEach((to, held) -> pool(server, to).addFirst(held));
    rows.add(
        new Row(
            request.id,
            new TierCall(
                server,
                request.program.kind(),
                request.client,
                request.start,
                clock.now(),
                request.connection,
                request.program.bytesIn(),
                request.program.bytesOut(),
                request.identifier,
                request.program.value(),
                request.parent)));
    clock.at(onTheWay(), answered);
  }

  private long onTheWay() {
    return clock.now() + WAY + random.nextLong(WAY_MORE);
  }

  private void step(Open request, int index, Runnable done) {
    List<Step> steps = request.program.steps();
    boolean last = index == steps.size();
    double micros = last ? shape.gaps().micros(random) : steps.get(index).workMicros();
    Runnable then = last ? done : () -> calls(request, index, done);
    Objects.requireNonNull(tiers.get(request.program.server())).work(micros, then);
  }

  private void calls(Open request, int index, Runnable done) {
    Step step = request.program.steps().get(index);
    int[] open = {step.calls().size()};
    for (Program call : step.calls()) {
      Runnable answered =
          () -> {
            if (--open[0] == 0 && step.waits()) {
              step(request, index + 1, done);
            }
          };
      call(request, call, step.waits(), answered);
    }
    if (!step.waits()) {
      step(request, index + 1, done);
    }
  }

  private void call(Open from, Program program, boolean waits, Runnable answered) {
    boolean keeps =
        waits && shape.pool() == TrafficShape.Pool.EACH_REQUEST && shape.parallel() == 0;
    String server = from.program.server();
    Deque<Integer> pool = pool(server, program.server());
    Integer held = keeps ? from.kept.get(program.server()) : null;
    int connection = held != null ? held : pool.isEmpty() ? ++connections : take(pool);
    if (keeps) {
      from.kept.put(program.server(), connection);
    }
    boolean own = random.nextDouble() < shape.background();
    clock.at(
        onTheWay(),
        () ->
            serve(
                open(program, server, connection, own ? -1 : from.id, own ? 0 : from.identifier),
                () -> {
                  if (!keeps) {
                    pool.addLast(connection);
                  }
                  answered.run();
                }));
  }

  private int take(Deque<Integer> pool) {
    if (shape.pool() == TrafficShape.Pool.EACH_CALL) {
      for (int i = random.nextInt(pool.size()); i > 0; i--) {
        pool.addLast(pool.removeFirst());
      }
    }
    return pool.removeFirst();
  }

  private Deque<Integer> pool(String from, String to) {
    return pools.computeIfAbsent(from + '>' + to, each -> new ArrayDeque<>());
  }
}
