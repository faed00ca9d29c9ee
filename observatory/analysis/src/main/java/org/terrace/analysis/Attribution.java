package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.Intervals;
import org.terrace.core.Strata;
import org.terrace.observation.Event;
import org.terrace.observation.Server;

/**
 * Lists beside each stall the events that overlap it, with the probability that events of that kind
 * and node overlap the server's stalls this much by chance.
 *
 * <p>Which events may explain a server's stall: all on the same server, on servers of later tiers
 * (which it waits for) and on nodes that are no server (a machine, the network); and faults on
 * servers of the same tier, whose load it takes over. Phases of a trial explain nothing. What
 * happens on a server of a later tier explains no stall in which this one stood still itself. And
 * what makes a server of an earlier tier stand still explains that a later one is congested just
 * after: what came meanwhile is passed on at once.
 *
 * <p>The probability is by circular shift within times of equal demand ({@link Strata}): seconds
 * are grouped by the requests that came to the server in them, and in each group all events of the
 * kind and node are moved together by a random time, which keeps their lengths and nearly their
 * spacing. So events that only come when much is asked for explain nothing. Bursts, and what a
 * pause releases, act by what is asked for, and are moved through all seconds; of the latter those
 * that meet a standstill are chosen anew after each move. The overlap with the server's stalls is
 * measured anew; {@code p = (1 + shifts with at least as much) / (1 + shifts)}. It is adjusted for
 * the number of kinds, nodes and servers tried (Benjamini and Hochberg, Controlling the false
 * discovery rate, 1995). Events that never overlap a stall are part of that number with a
 * probability of one.
 *
 * <p>Causes that are significant come first, then those whose edges agree with the stall's: a fault
 * of four seconds that happens to cover a pause of 60 ms agrees with it in a hundredth. Readings
 * that tell that something was short come behind an event that agrees half as well, which tells
 * what took it. Only significant causes lower the unexplained share.
 */
final class Attribution {
  /** An event may end this long before a stall begins: clocks differ and answers are buffered. */
  static final long LEAD_NANOS = 20_000_000L;

  /** The time for which an event without a length of its own is taken to act. */
  static final long INSTANT_NANOS = 100_000_000L;

  /** The time for which a killed server's load is taken to disturb others. */
  static final long KILL_NANOS = 1_000_000_000L;

  /** The part of the agreement of a reading that counts beside other events. */
  private static final double OF_READING = 0.5;

  private final List<Server> servers;
  private final List<List<DetectedStall>> stalls;
  private final Strata whole;
  private final Stretch stretch;
  private final Map<String, EventGroup> groups;
  private final AnalysisOptions options;
  private final List<Strata> strata;

  private Attribution(
      List<Server> servers,
      List<List<DetectedStall>> stalls,
      List<Strata> strata,
      List<Event> events,
      Stretch stretch,
      AnalysisOptions options) {
    this.servers = servers;
    this.stalls = stalls;
    this.strata = strata;
    this.stretch = stretch;
    this.options = options;
    long nanos = Math.max(1, stretch.endNanos() - stretch.startNanos());
    whole = Strata.byLevel(stretch.startNanos(), nanos, new double[1], 1);
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
    Attribution attribution = new Attribution(servers, stalls, strata, events, stretch, options);
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

  /** The stalls that events may explain. */
  private enum Reach {
    /** All: they happened on the server itself, or on no server. */
    ALL,
    /** Those in which the server did not stand still itself: they happened on a later one. */
    WAITS,
    /** Congested stretches: an earlier server passed on what had come to it in the events. */
    CONGESTION;

    boolean appliesTo(DetectedStall stall) {
      return switch (this) {
        case ALL -> true;
        case WAITS -> stall.behaviour() == Findings.Behaviour.WAITED;
        case CONGESTION -> stall.isCongestion();
      };
    }
  }

  /** One kind of events on one node against the stalls of one server. */
  private static final class Test {
    final int server;
    final EventGroup group;
    final Reach reach;
    final double p;
    final double lift;
    double adjusted;

    Test(int server, EventGroup group, Reach reach, double p, double lift) {
      this.server = server;
      this.group = group;
      this.reach = reach;
      this.p = p;
      this.lift = lift;
    }

    boolean isSignificant() {
      return adjusted <= Findings.Cause.SIGNIFICANT;
    }
  }

  private void addTests(int server, List<DetectedStall> stalls, List<Test> tests) {
    Map<Reach, Intervals> stalled = new EnumMap<>(Reach.class);
    for (Reach reach : Reach.values()) {
      stalled.put(reach, union(stalls.stream().filter(reach::appliesTo).toList()));
    }
    for (EventGroup group : groups.values()) {
      Reach reach = reach(group, servers.get(server));
      if (reach != null) {
        Intervals reached = Objects.requireNonNull(stalled.get(reach));
        boolean releases = reach == Reach.CONGESTION;
        Test test =
            releases
                ? released(server, group, reached, tests.size())
                : test(server, group, reach, reached, tests.size());
        if (!releases || test.group.direct().count() > 0) {
          tests.add(test);
        }
      }
    }
  }

  /**
   * The test of what a pause releases against the congested stretches of a later server: the events
   * are moved, and those that then meet a standstill are chosen anew, as they were in the
   * observation; and what they release is moved as it is. The larger probability counts: the events
   * have to go with the standstills, and what these release with the congestion.
   */
  private Test released(int server, EventGroup group, Intervals congested, int number) {
    Intervals stoodStill = standstills(group.node());
    EventGroup acting = group.released(stoodStill, stretch);
    long circumference = Math.max(1, stretch.endNanos() - stretch.startNanos());
    long observed = group.releasedOverlap(stoodStill, congested, 0);
    if (observed == 0) {
      return new Test(server, acting, Reach.CONGESTION, 1, 0);
    }
    SplittableRandom random = new SplittableRandom(options.seed() + number);
    int asMuch = 0;
    double sum = 0;
    for (int i = 0; i < options.shifts(); i++) {
      long shift = random.nextLong(circumference);
      long overlap =
          group.releasedOverlap(stoodStill, congested, shift)
              + group.releasedOverlap(stoodStill, congested, shift - circumference);
      asMuch += overlap >= observed ? 1 : 0;
      sum += overlap;
    }
    double chosen = (1.0 + asMuch) / (1.0 + options.shifts());
    Shifted asIs = shifted(whole, acting.influence(), congested, number);
    double lift = sum == 0 ? 0 : Math.min(observed * options.shifts() / sum, asIs.lift());
    return new Test(server, acting, Reach.CONGESTION, Math.max(chosen, asIs.p()), lift);
  }

  private Intervals standstills(String server) {
    List<DetectedStall> all = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      if (servers.get(i).name().equals(server)) {
        all.addAll(stalls.get(i));
      }
    }
    return union(
        all.stream().filter(stall -> stall.behaviour() != Findings.Behaviour.WAITED).toList());
  }

  private Intervals union(List<DetectedStall> stalls) {
    return Intervals.union(
        stalls.stream().mapToLong(DetectedStall::startNanos).toArray(),
        stalls.stream().mapToLong(DetectedStall::endNanos).toArray(),
        stretch.startNanos(),
        stretch.endNanos());
  }

  /** The stalls of a server that a group may explain; null if none. */
  private @Nullable Reach reach(EventGroup group, Server server) {
    int own = tierOf(server.name());
    int other = tierOf(group.node());
    if (group.node().equals(server.name()) || other < 0 || (other == own && group.isFault())) {
      return Reach.ALL;
    }
    return other > own ? Reach.WAITS : other < own ? Reach.CONGESTION : null;
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

  private Test test(int server, EventGroup group, Reach reach, Intervals stalled, int number) {
    Strata times = group.actsByDemand() ? whole : strata.get(server);
    Shifted shifted = shifted(times, group.influence(), stalled, number);
    return new Test(server, group, reach, shifted.p(), shifted.lift());
  }

  /** The probability of as much overlap by chance, and how much more there is. */
  private record Shifted(double p, double lift) {}

  private Shifted shifted(Strata times, Intervals moved, Intervals stalled, int number) {
    Intervals[] influence = times.split(moved);
    Intervals[] silent = times.split(stalled);
    long observed = 0;
    for (int i = 0; i < influence.length; i++) {
      observed += influence[i].overlapShifted(silent[i], 0, Long.MAX_VALUE / 2, 0);
    }
    if (observed == 0) {
      return new Shifted(1, 0);
    }
    SplittableRandom random = new SplittableRandom(options.seed() + number);
    int asMuch = 0;
    for (int i = 0; i < options.shifts(); i++) {
      asMuch += times.overlapShifted(influence, silent, random) >= observed ? 1 : 0;
    }
    double p = (1.0 + asMuch) / (1.0 + options.shifts());
    double byChance = times.overlapByChance(influence, silent);
    return new Shifted(p, byChance == 0 ? 0 : observed / byChance);
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
      if (!test.reach.appliesTo(stall)) {
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
            .thenComparingDouble(cause -> -weight(cause))
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

  private static double weight(Findings.Cause cause) {
    return value(cause.agreement()) * (EventGroup.isReading(cause.kind()) ? OF_READING : 1);
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
