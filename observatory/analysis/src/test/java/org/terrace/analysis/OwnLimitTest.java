package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.LimitedTiers.PLENTY;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.LimitedTiers.Demand;
import org.terrace.analysis.LimitedTiers.Tier;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.Trials;

/**
 * The congestion points of servers in a row whose limits are known: that of the one that has a
 * limit is told, and those in front of it are told to have waited for it.
 */
class OwnLimitTest {
  private static final int RUN_SECONDS = 60;
  private static final double MOST_ERROR = 0.1;

  /** The part of runs in which what is told is right. */
  private static final double MOST_RIGHT = 0.9;

  /**
   * Of pools, measured with one seed: 50 of 60 (95 % interval 72 to 91 %). Of the ten that were
   * missed, all used by a third of the time at most, seven of 6 to 9 connections were told two or
   * three requests too high, and of three of 17 to 23 no limit was told.
   */
  private static final double MOST_OF_POOLS = 0.7;

  private static final double WAYS_SECONDS = 0.0001;
  private static final double DATABASE_SECONDS = 0.004;
  private static final double WORK_SECONDS = 0.002;
  private static final double APP_SECONDS = 0.012 + 2 * (DATABASE_SECONDS + WAYS_SECONDS);

  /** Bursts that far beyond the capacity, so often that a server is congested 5 % of the time. */
  private static final double IN_BURSTS = 1.6;

  private static final double SHORT_SECONDS = 0.012;
  private static final long LONG_STOP = 8 * SECONDS;
  private static final double MUCH = 0.2;

  private static final long BURST = 300 * MILLIS;
  private static final long EVERY = 13 * SECONDS;

  private static Tier web(int threads) {
    return new Tier("web1", threads, PLENTY, 0, 2 * MILLIS, 1, PLENTY);
  }

  private static Tier app(int threads, int connections) {
    return new Tier("app1", threads, PLENTY, 0, 12 * MILLIS, 2, connections);
  }

  private static Tier database(int threads) {
    return new Tier("db1", threads, PLENTY, 0, 4 * MILLIS, 0, PLENTY);
  }

  /** Demand of a part of the capacity of one server, and now and then of more. */
  private static Demand rare(double capacity, double utilisation) {
    return new Demand(utilisation * capacity, IN_BURSTS * capacity, BURST, EVERY);
  }

  private static Findings analyzed(List<Tier> tiers, Demand demand, List<Event> stops, long seed) {
    return Analysis.analyze(
            LimitedTiers.run(tiers, demand, stops, RUN_SECONDS, Seeds.generator(seed)),
            AnalysisOptions.defaults())
        .findings();
  }

  private static ServerFindings server(Findings findings, String name) {
    return findings.servers().stream()
        .filter(server -> server.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String told(Findings findings) {
    StringBuilder words = new StringBuilder();
    for (ServerFindings each : findings.servers()) {
      CongestionPoint point = each.congestionPoint();
      words.append(
          "%s: %s (%s to %s) capacity %s by %s, beyond %s of the time, most %s, reason %s; own episodes %d, held up %d by %s%n"
              .formatted(
                  each.name(),
                  point.load(),
                  point.low(),
                  point.high(),
                  point.capacityPerSecond(),
                  point.basis(),
                  point.congestedShare(),
                  point.maximumLoadSeen(),
                  point.reason(),
                  each.episodes().stream().filter(e -> e.waitedFor() == null).count(),
                  each.episodes().stream().filter(e -> e.waitedFor() != null).count(),
                  each.episodes().stream().map(CongestionEpisode::waitedFor).distinct().toList()));
    }
    return words.toString();
  }

  private static List<Event> stops(String server) {
    List<Event> stops = new ArrayList<>();
    for (long at = START + 3 * SECONDS; at < START + RUN_SECONDS * SECONDS; at += 5 * SECONDS) {
      stops.add(new Event(server, EventKinds.FAULT_PAUSE, at, at + 200 * MILLIS, Map.of()));
    }
    return stops;
  }

  private static boolean isNear(double found, double truth) {
    return Math.abs(found / truth - 1) <= MOST_ERROR;
  }

  /** Whether a server has no limit of its own, and was congested only while it waited for one. */
  private static boolean onlyWaited(Findings findings, String name, String waitedFor) {
    ServerFindings server = server(findings, name);
    return !server.congestionPoint().identifiable()
        && server.episodes().stream().allMatch(each -> waitedFor.equals(each.waitedFor()));
  }

  private static double load(Findings findings, String name) {
    Double load = server(findings, name).congestionPoint().load();
    return load == null ? Double.NaN : load;
  }

  private static void check(String subject, double most, IntPredicate trial) {
    double share = Trials.share(Depth.of(10, 3), 60, held -> held >= most, trial);

    assertThat(share).as(subject).isGreaterThanOrEqualTo(most);
  }

  private static boolean judged(String what, boolean isRight, Findings findings) {
    if (!isRight) {
      System.out.printf("%s%n%s", what, told(findings));
    }
    return isRight;
  }

  @Test
  void theThreadsOfAServerAreItsCongestionPointThoughItIsSeldomCongested() {
    RandomGenerator random = Seeds.generator(Seeds.next("OwnLimitTest.threads"));
    check(
        "threads",
        MOST_RIGHT,
        trial -> {
          int threads = random.nextInt(6, 41);
          double utilisation = random.nextDouble(0.2, 0.7);
          boolean isWebLimited = random.nextBoolean();
          List<Event> stops = random.nextInt(3) == 0 ? stops("db1") : List.of();
          Findings findings =
              analyzed(
                  List.of(
                      web(isWebLimited ? 3 * threads : PLENTY),
                      app(threads, PLENTY),
                      database(PLENTY)),
                  rare(threads / APP_SECONDS, utilisation),
                  stops,
                  random.nextLong());
          boolean isRight =
              isNear(load(findings, "app1"), threads)
                  && onlyWaited(findings, "web1", "app1")
                  && !server(findings, "db1").congestionPoint().identifiable();
          return judged(
              "%d threads at %.2f, web limited %s, %d stops"
                  .formatted(threads, utilisation, isWebLimited, stops.size()),
              isRight,
              findings);
        });
  }

  @Test
  void whoIsInFrontOfACongestedServerOnlyWaits() {
    RandomGenerator random = Seeds.generator(Seeds.next("OwnLimitTest.database"));
    check(
        "database",
        MOST_RIGHT,
        trial -> {
          int threads = random.nextInt(4, 25);
          boolean hasPool = random.nextBoolean();
          double utilisation = random.nextDouble(0.2, 0.7);
          Findings findings =
              analyzed(
                  List.of(
                      web(PLENTY), app(PLENTY, hasPool ? 3 * threads : PLENTY), database(threads)),
                  rare(threads / (2 * DATABASE_SECONDS), utilisation),
                  List.of(),
                  random.nextLong());
          boolean isRight =
              isNear(load(findings, "db1"), threads)
                  && onlyWaited(findings, "app1", "db1")
                  && onlyWaited(findings, "web1", "app1");
          return judged(
              "%d threads of the database at %.2f, pool %s"
                  .formatted(threads, utilisation, hasPool),
              isRight,
              findings);
        });
  }

  /** The database is not congested: it is the pool that holds back. */
  @Test
  void aPoolThatIsUsedUpIsALimitOfItsOwner() {
    RandomGenerator random = Seeds.generator(Seeds.next("OwnLimitTest.pool"));
    check(
        "pool",
        MOST_OF_POOLS,
        trial -> {
          int pool = random.nextInt(6, 25);
          double capacity = pool / (2 * (DATABASE_SECONDS + WAYS_SECONDS));
          double utilisation = random.nextDouble(0.2, 0.7);
          Findings findings =
              analyzed(
                  List.of(web(PLENTY), app(PLENTY, pool), database(PLENTY)),
                  rare(capacity, utilisation),
                  List.of(),
                  random.nextLong());
          boolean isRight =
              isNear(load(findings, "app1"), capacity * APP_SECONDS)
                  && onlyWaited(findings, "web1", "app1")
                  && server(findings, "app1").episodes().stream()
                      .anyMatch(each -> each.isOwn(CongestionEpisode.Kind.BEYOND));
          return judged(
              "pool of %d at %.2f: %.1f".formatted(pool, utilisation, capacity * APP_SECONDS),
              isRight,
              findings);
        });
  }

  @Test
  void aQuotaIsALimitOfItsServer() {
    RandomGenerator random = Seeds.generator(Seeds.next("OwnLimitTest.quota"));
    check(
        "quota",
        MOST_RIGHT,
        trial -> {
          double quota = random.nextDouble(0.2, 0.8);
          double utilisation = random.nextDouble(0.3, 0.8);
          double capacity = quota / WORK_SECONDS;
          Findings findings =
              analyzed(
                  List.of(
                      web(PLENTY),
                      new Tier("app1", PLENTY, 1, quota, 2 * MILLIS, 2, PLENTY),
                      database(PLENTY)),
                  rare(capacity, utilisation),
                  List.of(),
                  random.nextLong());
          CongestionPoint point = server(findings, "app1").congestionPoint();
          Double found = point.capacityPerSecond();
          double truth = capacity * (WORK_SECONDS + 2 * (DATABASE_SECONDS + WAYS_SECONDS));
          boolean isRight =
              found != null
                  && isNear(found, capacity)
                  && Math.abs(load(findings, "app1") / truth - 1) < 2 * MOST_ERROR
                  && onlyWaited(findings, "web1", "app1");
          return judged(
              "quota of %.2f at %.2f: capacity %.1f, N* %.2f"
                  .formatted(quota, utilisation, capacity, truth),
              isRight,
              findings);
        });
  }

  /**
   * A stop longer than any call that is no stream: what was called before it is still waited for.
   */
  @Test
  void whoseBackEndStopsForLongWaitsForIt() {
    RandomGenerator random = Seeds.generator(Seeds.next("OwnLimitTest.longStop"));
    check(
        "long stop",
        MOST_RIGHT,
        trial -> {
          int threads = random.nextInt(6, 41);
          // What queues meanwhile is worked off in less time than the stop, so that most is a wait.
          double utilisation = random.nextDouble(0.15, 0.25);
          long from = START + random.nextLong(15, 35) * SECONDS;
          Event stop = new Event("db1", EventKinds.FAULT_PAUSE, from, from + LONG_STOP, Map.of());
          Findings findings =
              analyzed(
                  List.of(web(PLENTY), app(threads, PLENTY), database(PLENTY)),
                  rare(threads / APP_SECONDS, utilisation),
                  List.of(stop),
                  random.nextLong());
          boolean isRight =
              isNear(load(findings, "app1"), threads)
                  && onlyWaited(findings, "web1", "app1")
                  && spans(findings, stop).allMatch("db1"::equals)
                  && spans(findings, stop).findAny().isPresent();
          return judged(
              "%d threads at %.2f, stopped at %d s: %s"
                  .formatted(
                      threads,
                      utilisation,
                      (from - START) / SECONDS,
                      spans(findings, stop).toList()),
              isRight,
              findings);
        });
  }

  /** The servers that app1 waited for where its stalls and episodes share much of a stop. */
  private static Stream<String> spans(Findings findings, Event stop) {
    DetectedStall whole = new DetectedStall(stop.startNanos(), stop.endNanos(), 0, 0);
    ServerFindings app = server(findings, "app1");
    return Stream.concat(
        app.stalls().stream()
            .filter(each -> isMuchOf(whole, each.startNanos(), each.endNanos()))
            .map(each -> String.valueOf(each.waitedFor())),
        app.episodes().stream()
            .filter(each -> isMuchOf(whole, each.startNanos(), each.endNanos()))
            .map(each -> String.valueOf(each.waitedFor())));
  }

  private static boolean isMuchOf(DetectedStall stop, long from, long to) {
    return stop.sharedNanos(new DetectedStall(from, to, 0, 0)) > MUCH * stop.lengthNanos();
  }

  /**
   * Half of the work comes before a call, which is slow; most requests do no more than that. Only
   * where little queues may most of it be in calls.
   */
  @Test
  void whoSeldomCallsKeepsItsOwnLimit() {
    RandomGenerator random = Seeds.generator(Seeds.next("OwnLimitTest.seldom"));
    check(
        "seldom",
        MOST_RIGHT,
        trial -> {
          int threads = random.nextInt(6, 41);
          double utilisation = random.nextDouble(0.2, 0.7);
          double capacity = threads / SHORT_SECONDS;
          double callsPerSecond = random.nextDouble(0.05, 1);
          Findings findings =
              analyzed(
                  List.of(
                      web(PLENTY),
                      new Tier(
                          "app1",
                          threads,
                          PLENTY,
                          0,
                          24 * MILLIS,
                          1,
                          PLENTY,
                          callsPerSecond / utilisation / capacity),
                      new Tier("db1", PLENTY, PLENTY, 0, 300 * MILLIS, 0, PLENTY)),
                  rare(capacity, utilisation),
                  List.of(),
                  random.nextLong());
          boolean isRight =
              isNear(load(findings, "app1"), threads)
                  && server(findings, "app1").episodes().stream()
                      .filter(each -> each.peakLoad() > 2 * threads)
                      .allMatch(each -> each.waitedFor() == null);
          return judged(
              "%d threads at %.2f, %.2f calls a second"
                  .formatted(threads, utilisation, callsPerSecond),
              isRight,
              findings);
        });
  }

  @Test
  void timeThatIsOnlyWaitedIsNoCongestionOfTheServerItself() {
    RandomGenerator random = Seeds.generator(Seeds.next("OwnLimitTest.share"));
    check(
        "share",
        MOST_RIGHT,
        trial -> {
          int threads = random.nextInt(6, 41);
          long from = START + random.nextLong(15, 35) * SECONDS;
          Event stop = new Event("db1", EventKinds.FAULT_PAUSE, from, from + LONG_STOP, Map.of());
          Findings findings =
              analyzed(
                  List.of(web(PLENTY), app(threads, PLENTY), database(PLENTY)),
                  rare(threads / APP_SECONDS, 0.2),
                  List.of(stop),
                  random.nextLong());
          Double share = server(findings, "app1").congestionPoint().congestedShare();
          double own = share == null ? Double.NaN : share * RUN_SECONDS * SECONDS;
          // Its bursts, and what queued during the stop and is worked off after it.
          boolean isRight = own < 0.8 * LONG_STOP;
          return judged("%d threads: %.1f s".formatted(threads, own / SECONDS), isRight, findings);
        });
  }
}
