package org.terrace.tracing.stitch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;

/**
 * Traffic of a service of four tiers whose truth is known: clients ask {@code web}, which asks
 * {@code app} once or twice, which asks {@code db} always and {@code store} half of the time. Every
 * tier has processors that requests wait for in turn, connections come from pools, and gaps are
 * drawn from gamma and bimodal distributions with pauses of the whole tier: nothing of this is what
 * the stitcher assumes. Deterministic for its seed.
 */
final class TierTraffic {
  private static final long START = 1_700_000_000_000_000_000L;

  /** The shape of a service. */
  record Shape(
      int clients,
      int requests,
      double thinkMicros,
      Pool pool,
      boolean classes,
      double fanOut,
      double lost,
      double background) {
    static Shape of(int clients, Pool pool) {
      return new Shape(clients, 3_000, 400, pool, false, 0, 0, 0);
    }

    Shape withClasses() {
      return new Shape(clients, requests, thinkMicros, pool, true, fanOut, lost, background);
    }

    Shape withFanOut(double share) {
      return new Shape(clients, requests, thinkMicros, pool, classes, share, lost, background);
    }

    Shape withLoss(double share, double own) {
      return new Shape(clients, requests, thinkMicros, pool, classes, fanOut, share, own);
    }

    Shape withRequests(int count) {
      return new Shape(clients, count, thinkMicros, pool, classes, fanOut, lost, background);
    }
  }

  /** The use of connections. */
  enum Pool {
    /** Nothing to be learned from connections: any free one for each call. */
    EACH_CALL,
    /** A request keeps its connection from its first call to its end. */
    EACH_REQUEST
  }

  /** The table, and of each span the span that called it (by row: arrival order). */
  record Result(RequestTable table, int[] parents) {}

  private record Row(
      String server,
      String requestClass,
      String client,
      long start,
      long end,
      int connection,
      int id,
      int parent) {}

  private record Event(long at, long order, Runnable action) {}

  private final RandomGenerator random;
  private final Shape shape;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Tier> tiers = new HashMap<>();
  private final Map<String, Deque<Integer>> pools = new HashMap<>();
  private int connections;
  private long now = START;
  private long order;
  private int ids;
  private int begun;

  /** The processors of a tier. */
  private final class Tier {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int free;
    private long pausedUntil;

    Tier(int processors) {
      free = processors;
    }

    void work(double micros, Runnable then) {
      if (free == 0) {
        waiting.add(() -> run(micros, then));
      } else {
        free--;
        run(micros, then);
      }
    }

    private void run(double micros, Runnable then) {
      if (random.nextInt(2_000) == 0) {
        pausedUntil = now + 20_000_000;
      }
      long done = Math.max(now, pausedUntil) + Math.round(micros * 1_000);
      at(
          done,
          () -> {
            Runnable first = waiting.poll();
            if (first == null) {
              free++;
            } else {
              first.run();
            }
            then.run();
          });
    }
  }

  private TierTraffic(Shape shape, RandomGenerator random) {
    this.shape = shape;
    this.random = random;
    for (String name : List.of("web", "app", "db", "store")) {
      tiers.put(name, new Tier(name.equals("app") ? 4 : 3));
    }
  }

  static Result of(Shape shape, RandomGenerator random) {
    return new TierTraffic(shape, random).result();
  }

  private void at(long time, Runnable action) {
    events.add(new Event(time, order++, action));
  }

  private Result result() {
    for (int client = 0; client < shape.clients; client++) {
      int number = client;
      at(START + random.nextLong(1_000_000), () -> client(number));
    }
    while (!events.isEmpty()) {
      Event event = events.remove();
      now = event.at;
      event.action.run();
    }
    rows.sort(Comparator.comparingLong(Row::start).thenComparingInt(Row::id));
    Map<Integer, Integer> places = new HashMap<>();
    List<Row> kept = new ArrayList<>();
    for (Row row : rows) {
      if (random.nextDouble() >= shape.lost) {
        places.put(row.id, kept.size());
        kept.add(row);
      }
    }
    RequestTable.Builder builder = new RequestTable.Builder();
    int[] parents = new int[kept.size()];
    for (int i = 0; i < kept.size(); i++) {
      Row row = kept.get(i);
      parents[i] = places.getOrDefault(row.parent, -1);
      builder.accept(
          new Request(
              row.server,
              row.requestClass,
              row.client,
              row.start,
              row.start,
              row.end,
              100,
              100,
              Outcome.OK,
              row.connection));
    }
    return new Result(builder.build(), parents);
  }

  private void client(int number) {
    if (begun++ >= shape.requests) {
      return;
    }
    String page = shape.classes ? "GET /page" + random.nextInt(6) : "GET";
    serve(
        "web",
        page,
        "browser" + number,
        -1,
        -1 - number,
        () -> web(page),
        () -> at(now + Math.round(gamma(1, shape.thinkMicros) * 1_000), () -> client(number)));
  }

  /** The steps of a request in their order, before its answer. */
  private interface Program {
    List<Step> steps();
  }

  /** Calls that are made at once after some work. */
  private record Step(double workMicros, List<Call> calls) {}

  private record Call(String server, String kind, Program program) {}

  private Program web(String page) {
    int calls = 1 + random.nextInt(2);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      String kind = shape.classes ? page + "/part" + i : "GET";
      steps.add(new Step(work(), List.of(new Call("app", kind, app(kind)))));
    }
    return () -> steps;
  }

  private Program app(String part) {
    List<Step> steps = new ArrayList<>();
    String statement = shape.classes ? "SELECT " + part : "SELECT";
    Call db = new Call("db", statement, List::of);
    if (random.nextDouble() < shape.fanOut) {
      steps.add(new Step(work(), List.of(db, db, new Call("store", "GET", List::of))));
    } else {
      steps.add(new Step(work(), List.of(db)));
      if (random.nextBoolean()) {
        steps.add(new Step(work(), List.of(new Call("store", "GET", List::of))));
      }
      if (shape.pool == Pool.EACH_REQUEST) {
        String second = shape.classes ? "SELECT more" : "SELECT";
        steps.add(new Step(work(), List.of(new Call("db", second, List::of))));
      }
    }
    return () -> steps;
  }

  /** Work of two kinds, short and long. */
  private double work() {
    return random.nextInt(4) == 0 ? 150 + gamma(3, 40) : 20 + gamma(2, 15);
  }

  private double gamma(int stages, double micros) {
    double sum = 0;
    for (int i = 0; i < stages; i++) {
      sum -= micros * Math.log(1 - random.nextDouble());
    }
    return sum;
  }

  private void serve(
      String server,
      String kind,
      String client,
      int parent,
      int connection,
      Supplier<Program> program,
      Runnable answered) {
    int id = ids++;
    long start = now;
    Map<String, Integer> kept = new HashMap<>();
    steps(
        server,
        id,
        program.get().steps(),
        0,
        kept,
        () -> {
          kept.forEach((to, held) -> pool(server, to).addFirst(held));
          rows.add(new Row(server, kind, client, start, now, connection, id, parent));
          // The answer is on its way for some microseconds.
          at(now + 2_000 + random.nextLong(6_000), answered);
        });
  }

  private void steps(
      String server,
      int id,
      List<Step> steps,
      int index,
      Map<String, Integer> kept,
      Runnable done) {
    double micros = index == steps.size() ? work() : steps.get(index).workMicros;
    tiers
        .get(server)
        .work(
            micros,
            () -> {
              if (index == steps.size()) {
                done.run();
                return;
              }
              int[] open = {steps.get(index).calls.size()};
              for (Call call : steps.get(index).calls) {
                call(
                    server,
                    id,
                    call,
                    kept,
                    () -> {
                      if (--open[0] == 0) {
                        steps(server, id, steps, index + 1, kept, done);
                      }
                    });
              }
            });
  }

  private void call(
      String server, int id, Call call, Map<String, Integer> kept, Runnable answered) {
    boolean keeps = shape.pool == Pool.EACH_REQUEST && shape.fanOut == 0;
    Deque<Integer> pool = pool(server, call.server);
    Integer held = kept.get(call.server);
    int connection = held != null ? held : pool.isEmpty() ? ++connections : take(pool);
    if (keeps) {
      kept.put(call.server, connection);
    }
    boolean own = random.nextDouble() < shape.background;
    at(
        now + 2_000 + random.nextLong(6_000),
        () ->
            serve(
                call.server,
                call.kind,
                server,
                own ? -1 : id,
                connection,
                () -> call.program,
                () -> {
                  if (!keeps) {
                    pool.addLast(connection);
                  }
                  answered.run();
                }));
  }

  private int take(Deque<Integer> pool) {
    if (shape.pool == Pool.EACH_CALL) {
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
