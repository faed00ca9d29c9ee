package org.terrace.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * A trial that was never run, of any length: users ask a web server, which asks one of two
 * application servers, each of which asks a database twice. Users come in bursts; requests wait for
 * a processor in the order of their arrival; the database pauses now and then, and says so. For the
 * cost and the tests of what reads a data set. The same seed gives the same trial.
 */
public final class GeneratedTrial {
  /** The requests of each page, of all servers and the users' own view. */
  public static final int REQUESTS_A_PAGE = 5;

  /** The most pages of a trial: half an hour. */
  public static final int PAGES_MAX = 1_000_000;

  /** Room for the number of a request in a sorted time. */
  private static final int NUMBER_BITS = 21;

  private static final long MICROS = 1_000L;
  private static final long SECONDS = 1_000_000_000L;
  private static final double PAGES_A_SECOND = 600;
  private static final double BURST = 2.2;
  private static final long BURST_NANOS = SECONDS;
  private static final long WAY_NANOS = 100 * MICROS;
  private static final long PAUSE_EVERY_NANOS = 7 * SECONDS;
  private static final long PAUSE_NANOS = 180_000_000L;
  private static final double ERROR_SHARE = 0.002;
  private static final List<String> PAGES = List.of("GET /", "GET /item/#", "POST /cart");
  private static final List<String> STATEMENTS =
      List.of("select item", "select price", "update cart");

  private final SplittableRandom random;
  private final long start;
  private final int pages;

  private GeneratedTrial(long seed, long startNanos, int pages) {
    random = new SplittableRandom(seed);
    start = startNanos;
    this.pages = pages;
  }

  /**
   * A trial.
   *
   * @param startNanos its start, in nanoseconds since the Unix epoch
   * @param pages the pages that users ask for, about 600 a second; 1 to {@value #PAGES_MAX}
   */
  public static Observation of(long seed, long startNanos, int pages) {
    if (pages < 1 || pages > PAGES_MAX) {
      throw new IllegalArgumentException(pages + " pages; expected 1 to " + PAGES_MAX);
    }
    return new GeneratedTrial(seed, startNanos, pages).observation();
  }

  private Observation observation() {
    int[] kind = new int[pages];
    long[] sent = new long[pages];
    long now = start;
    for (int page = 0; page < pages; page++) {
      boolean burst = Math.floorMod((now - start) / BURST_NANOS, 3L) == 1;
      double perSecond = PAGES_A_SECOND * (burst ? BURST : (3 - BURST) / 2);
      now += Math.max(1, (long) (-Math.log(1 - random.nextDouble()) / perSecond * SECONDS));
      sent[page] = now;
      kind[page] = Math.min(PAGES.size() - 1, random.nextInt(4));
    }
    long end = now;
    List<Event> pauses = pauses(end);
    long[] web = plus(sent, WAY_NANOS);
    long[] asked = plus(served(web, 8, 1_500 * MICROS, List.of()), WAY_NANOS);
    int[] app = new int[pages];
    Arrays.setAll(app, page -> random.nextInt(2));
    long[] query = new long[2 * pages];
    for (int number = 0; number < 2; number++) {
      int which = number;
      int[] own = IntStream.range(0, pages).filter(page -> app[page] == which).toArray();
      long[] came = Arrays.stream(own).mapToLong(page -> asked[page]).toArray();
      long[] done = served(came, 4, 6_000 * MICROS, List.of());
      for (int i = 0; i < own.length; i++) {
        query[2 * own[i]] = done[i] + WAY_NANOS;
        query[2 * own[i] + 1] = done[i] + WAY_NANOS + 1;
      }
    }
    long[] database = served(query, 3, 1_300 * MICROS, pauses);
    RequestTable.Builder table = new RequestTable.Builder();
    for (int page = 0; page < pages; page++) {
      long answered = Math.max(database[2 * page], database[2 * page + 1]) + WAY_NANOS;
      String name = PAGES.get(kind[page]);
      Outcome outcome = random.nextDouble() < ERROR_SHARE ? Outcome.ERROR : Outcome.OK;
      String user = "browser" + page % 200;
      String appName = "app" + (1 + app[page]);
      add(table, Server.CLIENTS, name, user, sent[page], answered + 3 * WAY_NANOS, outcome);
      add(table, "web1", name, "10.0.0.1", web[page], answered + 2 * WAY_NANOS, outcome);
      add(table, appName, name, "web1", asked[page], answered + WAY_NANOS, outcome);
      for (int i = 2 * page; i < 2 * page + 2; i++) {
        String statement = STATEMENTS.get(i % 2 == 0 ? 0 : kind[page] == 2 ? 2 : 1);
        add(table, "db1", statement, appName, query[i], database[i], Outcome.OK);
      }
    }
    List<Event> events = new ArrayList<>(pauses);
    events.add(new Event("experiment", EventKinds.PHASE_RUN, start + SECONDS, end, Map.of()));
    return new Observation(servers(), table.build(), List.of(), events);
  }

  private static List<Server> servers() {
    return List.of(
        new Server(Server.CLIENTS, Server.CLIENTS, List.of()),
        new Server("web1", "web", List.of("10.0.1.1:80")),
        new Server("app1", "app", List.of("10.0.2.1:8080")),
        new Server("app2", "app", List.of("10.0.2.2:8080")),
        new Server("db1", "database", List.of("10.0.3.1:5432")));
  }

  private List<Event> pauses(long end) {
    List<Event> pauses = new ArrayList<>();
    for (long at = start + 4 * SECONDS; at < end; at += PAUSE_EVERY_NANOS) {
      long from = at + random.nextLong(SECONDS);
      pauses.add(new Event("db1", EventKinds.CHECKPOINT, from, from + PAUSE_NANOS, Map.of()));
    }
    return pauses;
  }

  private static long[] plus(long[] times, long nanos) {
    return Arrays.stream(times).map(time -> time + nanos).toArray();
  }

  /** Serves requests in the order of their arrival, on some processors that pause together. */
  private long[] served(long[] arrival, int processors, long meanNanos, List<Event> pauses) {
    long[] byTime = new long[arrival.length];
    Arrays.setAll(byTime, i -> (arrival[i] - start) << NUMBER_BITS | i);
    Arrays.sort(byTime);
    long[] served = new long[arrival.length];
    long[] free = new long[processors];
    int pause = 0;
    for (long each : byTime) {
      int i = (int) (each & (1 << NUMBER_BITS) - 1);
      int first = 0;
      for (int p = 1; p < processors; p++) {
        first = free[p] < free[first] ? p : first;
      }
      long begins = Math.max(arrival[i], free[first]);
      while (pause < pauses.size() && pauses.get(pause).endNanos() <= begins) {
        pause++;
      }
      if (pause < pauses.size() && pauses.get(pause).startNanos() <= begins) {
        begins = pauses.get(pause).endNanos();
      }
      double factor = 0.5 - 0.5 * Math.log(1 - random.nextDouble());
      free[first] = begins + Math.max(1, (long) (factor * meanNanos));
      served[i] = free[first];
    }
    return served;
  }

  private static void add(
      RequestTable.Builder table,
      String server,
      String requestClass,
      String client,
      long arrival,
      long departure,
      Outcome outcome) {
    table.accept(
        new Request(
            server, requestClass, client, arrival, arrival, departure, 200, 2_000, outcome, 1));
  }
}
