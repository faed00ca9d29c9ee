package org.terrace.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.study.Validity;
import org.terrace.details.FindingDetails;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.testing.Seeds;

/**
 * A trial that never ran: users, a web server, two application servers and a database, with garbage
 * collections, a kill and a pause of the database, all of it a function of the seed. Pages are
 * computed one after the other, each waiting for free workers, which is close enough to queues in
 * parallel to look like a real trial.
 */
final class SyntheticTrial {
  static final long START_NANOS = 1_795_000_000_123_456_789L;
  private static final double KILL_SECONDS = 20;
  private static final double KILLED_SECONDS = 1.7;
  private static final List<String> PAGES =
      List.of("ViewStory", "StoriesOfTheDay", "BrowseStoriesInCategory", "StoreComment", "Search");
  private static final List<String> URLS =
      List.of(
          "GET /view-story?story={n}",
          "GET /",
          "GET /browse-stories-in-category?category={n}&page={n}",
          "POST /store-comment",
          "GET /search?text={text}");
  private static final List<String> STATEMENTS =
      List.of(
          "select id, title, body, writer, date from stories where id = ?",
          "select count(*) from comments where story = ?",
          "select c.id, c.subject, u.nickname from comments c join users u on u.id = c.writer where"
              + " c.story = ? and c.parent = ? order by c.date",
          "insert into comments (story, parent, writer, subject, body, date) values (?, ?, ?, ?, ?,"
              + " now())",
          "select id, title from stories where title ilike ? limit ?");

  private static final int KEPT_MOST = 200_000;

  /** Observations that were made, by their trials: many tests look at the same. */
  private static final Map<String, Observation> OBSERVATIONS = new HashMap<>();

  private static final IdentityHashMap<Observation, AnalysisResult> ANALYSES =
      new IdentityHashMap<>();

  private final RandomGenerator random;
  private final double seconds;
  private final double pagesPerSecond;
  private final RequestTable.Builder requests = new RequestTable.Builder();
  private final List<Event> events = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final Station web = new Station("web1", 64);
  private final Station app1 = new Station("app1", 5);
  private final Station app2 = new Station("app2", 5);
  private final Station database = new Station("db1", 6);

  private SyntheticTrial(long seed, double seconds, double pagesPerSecond) {
    this.random = Seeds.generator(seed);
    this.seconds = seconds;
    this.pagesPerSecond = pagesPerSecond;
  }

  /** Workers behind one queue, which stand still during pauses. Times are in seconds. */
  private static final class Station {
    private final String name;
    private final PriorityQueue<Double> free = new PriorityQueue<>();
    private final List<double[]> pauses = new ArrayList<>();

    Station(String name, int workers) {
      this.name = name;
      for (int i = 0; i < workers; i++) {
        free.add(0.0);
      }
    }

    double begin(double arrival) {
      return afterPause(Math.max(arrival, free.remove()));
    }

    double afterPause(double time) {
      for (double[] pause : pauses) {
        if (time >= pause[0] && time < pause[1]) {
          return pause[1];
        }
      }
      return time;
    }

    /** The time at which work of some length that begins at a time is done. */
    double work(double begin, double length) {
      double end = begin + length;
      for (double[] pause : pauses) {
        if (begin < pause[0] && end > pause[0]) {
          end += pause[1] - pause[0];
        }
      }
      return end;
    }
  }

  /** The observation of a trial of some length at some rate; those of few requests are kept. */
  static Observation observation(long seed, double seconds, double pagesPerSecond) {
    String trial = seed + " " + seconds + " " + pagesPerSecond;
    Observation kept = OBSERVATIONS.get(trial);
    if (kept == null) {
      kept = new SyntheticTrial(seed, seconds, pagesPerSecond).run();
      if (kept.requests().size() <= KEPT_MOST) {
        OBSERVATIONS.put(trial, kept);
      }
    }
    return kept;
  }

  private static AnalysisResult analysed(Observation observation) {
    return observation.requests().size() <= KEPT_MOST
        ? ANALYSES.computeIfAbsent(
            observation, each -> Analysis.analyze(each, AnalysisOptions.defaults()))
        : Analysis.analyze(observation, AnalysisOptions.defaults());
  }

  /** The analysis of an observation, with what a trial adds to the findings. */
  static AnalysisResult analyse(Observation observation, boolean valid) {
    AnalysisResult result = analysed(observation);
    Findings findings =
        result
            .findings()
            .withCapture(
                new CaptureFigures(
                    observation.requests().size() * 5L,
                    observation.requests().size() * 2_900L,
                    0,
                    0,
                    3))
            .withValidity(
                List.of(
                    new Validity(
                        "generator-lateness",
                        valid,
                        "99 % of requests left within "
                            + (valid ? "0.9" : "48.2")
                            + " ms of their time; at most 5 ms is allowed"),
                    new Validity("generator-cpu", true, "0.11 of a core; at most 0.7 is allowed"),
                    new Validity("achieved-rate", true, "499 of 500 expected pages a second"),
                    new Validity("packets-dropped", true, "none of 601,290 packets")));
    return result.withFindings(
        FindingDetails.added(
            findings.withInput(
                findings.capture(), SyntheticTransactions.of(URLS, result.stretch().startNanos())),
            observation,
            result.stretch().startNanos(),
            result.stretch().endNanos()));
  }

  static TrialFacts facts(Observation observation) {
    return new TrialFacts(
            "quickstart",
            "./terrace run experiments/quickstart.yaml --out out",
            """
            kind: Experiment
            name: quickstart
            topology: 1/2/0/1 # web / app / clustering middleware / database
            application: board
            database: postgresql
            load: {closed: {users: 1000, think: exp(2s)}, mix: read-write}
            phases: {rampUp: 10s, run: 40s, rampDown: 3s}
            faults: [{kill: app1, at: 20s}]
            observe: {packets: true, sample: 1s}
            seed: 1
            """,
            1L,
            List.of(
                new TrialFacts.Fact("processor", "2 cores of an example"),
                new TrialFacts.Fact("memory", "24 GB"),
                new TrialFacts.Fact("kernel", "Linux 6.1")),
            List.of(
                new TrialFacts.Fact("Terrace", "0.1.0"),
                new TrialFacts.Fact("Java", "25.0.3"),
                new TrialFacts.Fact("PostgreSQL", "18.6")),
            List.of(),
            List.of(),
            List.of(),
            List.of())
        .with(observation);
  }

  private Observation run() {
    event(Server.CLIENTS, EventKinds.PHASE_RUN, 0, seconds, Map.of());
    collections(app1, 1.9, 0.035);
    collections(app2, 2.3, 0.03);
    if (seconds > KILL_SECONDS) {
      event(
          "app1", EventKinds.FAULT_KILL, KILL_SECONDS, KILL_SECONDS + 0.004, Map.of("pid", "4711"));
      database.pauses.add(new double[] {seconds * 0.72, seconds * 0.72 + 0.31});
      event("db1", EventKinds.FAULT_PAUSE, seconds * 0.72, seconds * 0.72 + 0.31, Map.of());
    }
    double time = 0;
    for (int page = 0; time < seconds; page++) {
      double burst = 1 + 0.55 * Math.sin(time * 0.9) * Math.sin(time * 0.23);
      time -= Math.log(1 - random.nextDouble()) / (pagesPerSecond * burst);
      page(page, time);
    }
    readings();
    return new Observation(
        List.of(
            new Server(Server.CLIENTS, Server.CLIENTS, List.of()),
            new Server("web1", "web", List.of("127.0.1.1:8080")),
            new Server("app1", "app", List.of("127.0.2.1:8080")),
            new Server("app2", "app", List.of("127.0.2.2:8080")),
            new Server("db1", "database", List.of("127.0.4.1:5432"))),
        requests.build(),
        samples,
        events,
        List.of(
            connection(0, "127.0.9.1:40001", "web1", "127.0.1.1:8080", "HTTP/1.1"),
            connection(1, "127.0.1.1:40002", "app1", "127.0.2.1:8080", "HTTP/1.1"),
            connection(2, "127.0.2.1:40003", "db1", "127.0.4.1:5432", "PostgreSQL"),
            connection(3, "127.0.2.1:40004", "db1", "127.0.4.1:5432", "PostgreSQL")));
  }

  private static ObservedConnection connection(
      int number, String client, String server, String address, String protocol) {
    return new ObservedConnection(
        number,
        server,
        client,
        address,
        protocol,
        "first bytes of the client",
        ObservedConnection.UNKNOWN,
        1,
        9,
        START_NANOS,
        START_NANOS + 1,
        ObservedConnection.Beginning.OPENED,
        number == 3 ? ObservedConnection.Ending.RESET : ObservedConnection.Ending.CLOSED,
        1_000,
        20_000,
        70 + number);
  }

  private void collections(Station app, double every, double length) {
    double at = every * random.nextDouble();
    while (at < seconds) {
      boolean full = random.nextInt(9) == 0;
      double pause = full ? 0.22 + 0.1 * random.nextDouble() : length * (0.3 + random.nextDouble());
      app.pauses.add(new double[] {at, at + pause});
      event(
          app.name,
          EventKinds.GC_PAUSE,
          at,
          at + pause,
          Map.of("cause", full ? "Full: Allocation Failure" : "Young: Allocation Failure"));
      at += every * (0.6 + 0.8 * random.nextDouble());
    }
  }

  private void page(int number, double time) {
    int kind = Math.min(PAGES.size() - 1, (int) (-Math.log(1 - random.nextDouble()) * 1.1));
    boolean killed =
        seconds > KILL_SECONDS && time >= KILL_SECONDS && time < KILL_SECONDS + KILLED_SECONDS;
    Station app = killed || random.nextBoolean() ? app2 : app1;
    double webBegin = web.begin(time + 0.0001);
    double appArrival = webBegin + 0.0003;
    double at = app.begin(appArrival);
    double end = app.work(at, service(0.0018));
    int statements = 1 + random.nextInt(4);
    for (int i = 0; i < statements; i++) {
      double begin = database.begin(end);
      double done = database.work(begin, service(kind == 4 ? 0.006 : 0.0011));
      database.free.add(done);
      add("db1", STATEMENTS.get((kind + i) % STATEMENTS.size()), app.name, end, done, Outcome.OK);
      end = app.work(app.afterPause(done), service(0.0009));
    }
    app.free.add(end);
    boolean aborted =
        app == app1 && seconds > KILL_SECONDS && appArrival < KILL_SECONDS && end > KILL_SECONDS;
    double appEnd = aborted ? KILL_SECONDS : end;
    Outcome outcome = aborted ? Outcome.ABORTED : Outcome.OK;
    add(app.name, URLS.get(kind), "web1", appArrival, appEnd, outcome);
    double webEnd = appEnd + 0.0004;
    web.free.add(webEnd);
    Outcome seen = aborted ? Outcome.ERROR : Outcome.OK;
    add("web1", URLS.get(kind), "users", time + 0.0001, webEnd, seen);
    double late = -Math.log(1 - random.nextDouble()) * (random.nextInt(60) == 0 ? 0.02 : 0.0004);
    requests.accept(
        new Request(
            Server.CLIENTS,
            PAGES.get(kind),
            "users-" + number % 8,
            nanos(time - late),
            nanos(time),
            nanos(webEnd + 0.0002),
            400,
            9_000,
            seen,
            number % 1_000));
  }

  private double service(double mean) {
    double sum = 0;
    for (int stage = 0; stage < 4; stage++) {
      sum -= Math.log(1 - random.nextDouble());
    }
    return mean * sum / 4;
  }

  private void readings() {
    for (String node : List.of("web1", "app1", "app2", "db1")) {
      double memory = 2e8 + random.nextDouble() * 3e8;
      for (int second = 1; second <= seconds; second++) {
        double busy = 0.35 + 0.2 * Math.sin(second * 0.9) * Math.sin(second * 0.23);
        memory += random.nextDouble() * 4e6 - (second % 13 == 0 ? 3e7 : 0);
        sample(node, "cpu-utilisation", second, busy + 0.1 * random.nextDouble());
        sample(node, "memory-bytes", second, memory);
        sample(node, "network-receive-bytes-per-second", second, 3e6 * busy + random.nextDouble());
        sample(node, "disk-write-bytes-per-second", second, random.nextDouble() * 2e6);
      }
    }
  }

  private void sample(String node, String resource, double at, double value) {
    samples.add(new Sample(node, resource, nanos(at), value));
  }

  private void event(
      String node, String kind, double from, double to, Map<String, String> attributes) {
    events.add(new Event(node, kind, nanos(from), nanos(to), attributes));
    events.sort(Comparator.comparingLong(Event::startNanos));
  }

  private void add(
      String server, String requestClass, String client, double from, double to, Outcome outcome) {
    requests.accept(
        new Request(
            server,
            requestClass,
            client,
            nanos(from),
            nanos(from),
            nanos(to),
            300,
            2_000,
            outcome,
            random.nextInt(40)));
  }

  private static long nanos(double at) {
    return START_NANOS + Math.round(at * 1e9);
  }
}
