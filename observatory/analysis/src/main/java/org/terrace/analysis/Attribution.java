package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.statistics.Intervals;
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
 * <p>The probability is by circular shift: all events of the kind and node are moved together by a
 * random time around the analysed stretch, which keeps their lengths and spacing, and the overlap
 * with the server's stalls is measured anew; {@code p = (1 + shifts with at least as much) / (1 +
 * shifts)}. It is adjusted for the number of kinds, nodes and servers tried (Benjamini and
 * Hochberg, Controlling the false discovery rate, 1995). Events that never overlap a stall are part
 * of that number with a probability of one.
 *
 * <p>Causes that are significant come first, then those whose edges agree with the stall's: a fault
 * of four seconds that happens to cover a pause of 60 ms agrees with it in a hundredth. Only
 * significant causes lower the unexplained share.
 */
final class Attribution {
  /** An event may end this long before a stall begins: clocks differ and answers are buffered. */
  static final long LEAD_NANOS = 20_000_000L;

  /** How long an event without a length of its own is taken to act. */
  static final long INSTANT_NANOS = 100_000_000L;

  /** How long a killed server's load is taken to disturb others. */
  static final long KILL_NANOS = 1_000_000_000L;

  private final List<Server> servers;
  private final Stretch stretch;
  private final Map<String, EventGroup> groups;
  private final AnalysisOptions options;

  private Attribution(
      List<Server> servers, List<Event> events, Stretch stretch, AnalysisOptions options) {
    this.servers = servers;
    this.stretch = stretch;
    this.options = options;
    groups = EventGroup.of(events, stretch);
  }

  /** The stalls of each server with their causes, in the order of the servers given. */
  static List<List<Findings.Stall>> explain(
      List<Server> servers,
      List<List<DetectedStall>> stalls,
      List<Event> events,
      Stretch stretch,
      AnalysisOptions options) {
    Attribution attribution = new Attribution(servers, events, stretch, options);
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
      return !ofOthers || stall.behaviour() != Findings.Behaviour.STOOD_STILL;
    }

    boolean isSignificant() {
      return adjusted <= Findings.Cause.SIGNIFICANT;
    }
  }

  private void addTests(int server, List<DetectedStall> stalls, List<Test> tests) {
    Intervals all = union(stalls);
    Intervals notStanding =
        union(
            stalls.stream()
                .filter(stall -> stall.behaviour() != Findings.Behaviour.STOOD_STILL)
                .toList());
    for (EventGroup group : groups.values()) {
      if (mayExplain(group, servers.get(server))) {
        boolean ofOthers = isLaterTier(group, servers.get(server));
        Intervals stalled = ofOthers ? notStanding : all;
        double p = probability(group.influence(), stalled, tests.size());
        tests.add(new Test(server, group, ofOthers, p, lift(group.influence(), stalled)));
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

  /** The overlap of events and stalls over that of unrelated ones of the same lengths. */
  private double lift(Intervals influence, Intervals stalled) {
    long origin = stretch.startNanos();
    long circumference = stretch.endNanos() - origin;
    double byChance = (double) influence.length() * stalled.length() / circumference;
    return byChance == 0
        ? 0
        : influence.overlapShifted(stalled, origin, circumference, 0) / byChance;
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

  private double probability(Intervals influence, Intervals stalled, int test) {
    long origin = stretch.startNanos();
    long circumference = stretch.endNanos() - origin;
    long observed = influence.overlapShifted(stalled, origin, circumference, 0);
    if (observed == 0) {
      return 1;
    }
    SplittableRandom random = new SplittableRandom(options.seed() + test);
    int asMuch = 0;
    for (int i = 0; i < options.shifts(); i++) {
      long shift = random.nextLong(circumference);
      if (influence.overlapShifted(stalled, origin, circumference, shift) >= observed) {
        asMuch++;
      }
    }
    return (1.0 + asMuch) / (1.0 + options.shifts());
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
