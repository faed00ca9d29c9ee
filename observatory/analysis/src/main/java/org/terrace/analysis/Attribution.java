package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.statistics.Intervals;
import org.terrace.analysis.statistics.Strata;
import org.terrace.observation.Event;
import org.terrace.observation.Server;

/**
 * Lists beside each stall the events that overlap it, with the probability that events of that kind
 * and node overlap the server's stalls this much by chance.
 *
 * <p>Which events may explain a server's stall: all on the same server, on servers of later tiers
 * (which it waits for) and on nodes that are no server (a machine, the network); and faults on
 * servers of the same tier, whose load it takes over. Phases of a trial explain nothing. What
 * happens on a server of a later tier explains no stall in which this one stood still itself.
 *
 * <p>The probability is by circular shift within times of equal demand ({@link Strata}): seconds
 * are grouped by the requests that came to the server in them, and in each group all events of the
 * kind and node are moved together by a random time, which keeps their lengths and nearly their
 * spacing. So events that only come when much is asked for explain nothing. The overlap with the
 * server's stalls is measured anew; {@code p = (1 + shifts with at least as much) / (1 + shifts)}.
 * It is adjusted for the number of kinds, nodes and servers tried (Benjamini and Hochberg,
 * Controlling the false discovery rate, 1995). Events that never overlap a stall are part of that
 * number with a probability of one.
 *
 * <p>Causes that are significant come first, then those whose edges agree with the stall's: a fault
 * of four seconds that happens to cover a pause of 60 ms agrees with it in a hundredth. Only
 * significant causes lower the unexplained share.
 */
final class Attribution {
  /** An event may end this long before a stall begins: clocks differ and answers are buffered. */
  static final long LEAD_NANOS = 20_000_000L;

  /** The time for which an event without a length of its own is taken to act. */
  static final long INSTANT_NANOS = 100_000_000L;

  /** The time for which a killed server's load is taken to disturb others. */
  static final long KILL_NANOS = 1_000_000_000L;

  private final List<Server> servers;
  private final Stretch stretch;
  private final Map<String, EventGroup> groups;
  private final AnalysisOptions options;
  private final List<Strata> strata;

  private Attribution(
      List<Server> servers,
      List<Strata> strata,
      List<Event> events,
      Stretch stretch,
      AnalysisOptions options) {
    this.servers = servers;
    this.strata = strata;
    this.stretch = stretch;
    this.options = options;
    groups = EventGroup.of(events, stretch);
  }

  /**
   * The stalls of each server with their causes, in the order of the servers given.
   *
   * @param strata the times of equal demand of each server
   */
  static List<List<Findings.Stall>> explain(
      List<Server> servers,
      List<List<DetectedStall>> stalls,
      List<Strata> strata,
      List<Event> events,
      Stretch stretch,
      AnalysisOptions options) {
    Attribution attribution = new Attribution(servers, strata, events, stretch, options);
    List<Test> tests = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      if (!stalls.get(i).isEmpty()) {
        attribution.addTests(i, stalls.get(i), tests);
      }
    }
    adjust(tests);
    List<List<Findings.Stall>> explained = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      int server = i;
      List<Test> ofServer = tests.stream().filter(test -> test.server == server).toList();
      explained.add(
          stalls.get(i).stream().map(stall -> attribution.explain(stall, ofServer)).toList());
    }
    return explained;
  }

  /** One kind of events on one node against the stalls of one server. */
  private static final class Test {
    final int server;
    final EventGroup group;
    final boolean ofOthers;
    final double p;
    final double lift;
    double adjusted;

    Test(int server, EventGroup group, boolean ofOthers, double p, double lift) {
      this.server = server;
      this.group = group;
      this.ofOthers = ofOthers;
      this.p = p;
      this.lift = lift;
    }

    /** Whether events of another server can act: only where this one did not stand still itself. */
    boolean appliesTo(DetectedStall stall) {
      return !ofOthers || stall.behaviour() == Findings.Behaviour.WAITED;
    }

    boolean isSignificant() {
      return adjusted <= Findings.Cause.SIGNIFICANT;
    }
  }

  private void addTests(int server, List<DetectedStall> stalls, List<Test> tests) {
    Intervals all = union(stalls);
    Intervals waiting =
        union(
            stalls.stream()
                .filter(stall -> stall.behaviour() == Findings.Behaviour.WAITED)
                .toList());
    for (EventGroup group : groups.values()) {
      if (mayExplain(group, servers.get(server))) {
        boolean ofOthers = isLaterTier(group, servers.get(server));
        Intervals stalled = ofOthers ? waiting : all;
        tests.add(test(server, group, ofOthers, stalled, tests.size()));
      }
    }
  }

  private Intervals union(List<DetectedStall> stalls) {
    return Intervals.union(
        stalls.stream().mapToLong(DetectedStall::startNanos).toArray(),
        stalls.stream().mapToLong(DetectedStall::endNanos).toArray(),
        stretch.startNanos(),
        stretch.endNanos());
  }

  private boolean isLaterTier(EventGroup group, Server server) {
    return tierOf(group.node()) > tierOf(server.name());
  }

  private boolean mayExplain(EventGroup group, Server server) {
    if (group.node().equals(server.name())) {
      return true;
    }
    int own = tierOf(server.name());
    int other = tierOf(group.node());
    return other < 0 || other > own || (other == own && group.isFault());
  }

  /** The position of a server's tier from the users, or -1 when the node is no server. */
  private int tierOf(String node) {
    Map<String, Integer> positions = new LinkedHashMap<>();
    for (Server server : servers) {
      int position = positions.computeIfAbsent(server.tier(), tier -> positions.size());
      if (server.name().equals(node)) {
        return position;
      }
    }
    return -1;
  }

  private Test test(int server, EventGroup group, boolean ofOthers, Intervals stalled, int number) {
    Strata times = strata.get(server);
    Intervals[] influence = times.split(group.influence());
    Intervals[] silent = times.split(stalled);
    long observed = 0;
    for (int i = 0; i < influence.length; i++) {
      observed += influence[i].overlapShifted(silent[i], 0, Long.MAX_VALUE / 2, 0);
    }
    if (observed == 0) {
      return new Test(server, group, ofOthers, 1, 0);
    }
    SplittableRandom random = new SplittableRandom(options.seed() + number);
    int asMuch = 0;
    for (int i = 0; i < options.shifts(); i++) {
      asMuch += times.overlapShifted(influence, silent, random) >= observed ? 1 : 0;
    }
    double p = (1.0 + asMuch) / (1.0 + options.shifts());
    double byChance = times.overlapByChance(influence, silent);
    return new Test(server, group, ofOthers, p, byChance == 0 ? 0 : observed / byChance);
  }

  private static void adjust(List<Test> tests) {
    List<Test> descending =
        tests.stream()
            .sorted(Comparator.comparingDouble((Test test) -> test.p).reversed())
            .toList();
    double smallest = 1;
    int rank = descending.size();
    for (Test test : descending) {
      smallest = Math.min(smallest, test.p * tests.size() / rank);
      test.adjusted = smallest;
      rank--;
    }
  }

  private Findings.Stall explain(DetectedStall stall, List<Test> tests) {
    List<Findings.Cause> causes = new ArrayList<>();
    List<Intervals> explaining = new ArrayList<>();
    for (Test test : tests) {
      if (!test.appliesTo(stall)) {
        continue;
      }
      Intervals direct = test.group.direct();
      Intervals counted =
          direct.overlap(stall.startNanos(), stall.endNanos()) > 0
              ? direct
              : test.group.influence();
      long overlap = counted.overlap(stall.startNanos(), stall.endNanos());
      if (overlap > 0) {
        if (test.isSignificant()) {
          explaining.add(counted);
        }
        causes.add(
            new Findings.Cause(
                test.group.kind(),
                test.group.node(),
                (double) overlap / stall.lengthNanos(),
                test.p,
                test.adjusted,
                test.lift,
                counted.agreement(stall.startNanos(), stall.endNanos())));
      }
    }
    causes.sort(
        Comparator.comparing((Findings.Cause cause) -> !cause.significant())
            .thenComparingDouble(cause -> -value(cause.agreement()))
            .thenComparingDouble(cause -> -value(cause.lift()))
            .thenComparingDouble(cause -> -cause.share()));
    double explained = (double) unionOverlap(explaining, stall) / stall.lengthNanos();
    return new Findings.Stall(
        stall.startNanos(),
        stall.endNanos(),
        stall.peakLoad(),
        1 - explained,
        causes,
        stall.behaviour(),
        stall.waitedFor());
  }

  private static double value(@Nullable Double figure) {
    return figure == null ? 0 : figure;
  }

  private static long unionOverlap(List<Intervals> all, DetectedStall stall) {
    Intervals union = Intervals.NONE;
    for (Intervals each : all) {
      union = union.and(each, stall.startNanos(), stall.endNanos());
    }
    return union.length();
  }
}
