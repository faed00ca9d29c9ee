package org.terrace.analysis.experience;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.analysis.finding.Findings.Cause;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.Verdict.CauseSummary;

/**
 * The rule by which the stalls of all servers are gathered into episodes: a pure function of what
 * was found. A wait joins the episode of the server it was for. Stateless.
 */
public final class StallEpisodes {
  /** The longest time between two stalls of one episode: a second. */
  public static final long GAP_NANOS = 1_000_000_000L;

  /** An episode that still grows. */
  private static final class Growing {
    private final String server;
    private final @Nullable String waitedFor;
    private final List<Stall> stalls = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final Map<String, StallEpisode.Waiter> waiters = new LinkedHashMap<>();
    private long endNanos;

    Growing(String server, @Nullable String waitedFor) {
      this.server = server;
      this.waitedFor = waitedFor;
    }

    long startNanos() {
      return stalls.getFirst().startNanos();
    }

    void add(Stall stall, int place) {
      endNanos = stalls.isEmpty() ? stall.endNanos() : Math.max(endNanos, stall.endNanos());
      stalls.add(stall);
      places.add(place);
    }

    void waits(String waiter, Stall stall) {
      waiters.merge(
          waiter,
          new StallEpisode.Waiter(waiter, 1, stall.endNanos() - stall.startNanos()),
          (a, b) ->
              new StallEpisode.Waiter(
                  waiter, a.waits() + b.waits(), a.waitedNanos() + b.waitedNanos()));
    }

    /** Their common time; negative by the time that lies between them. */
    long overlapNanos(Stall stall) {
      return Math.min(endNanos, stall.endNanos()) - Math.max(startNanos(), stall.startNanos());
    }

    boolean involves(@Nullable String name) {
      return server.equals(name) || waiters.containsKey(String.valueOf(name));
    }

    StallEpisode done() {
      List<CauseSummary> likely = causes(Cause::significant);
      List<CauseSummary> possible =
          causes(cause -> !cause.significant()).stream()
              .filter(cause ->
                  likely.stream()
                      .noneMatch(other ->
                          other.kind().equals(cause.kind()) && other.node().equals(cause.node())))
              .toList();
      return new StallEpisode(
          server,
          startNanos(),
          endNanos,
          stalls.stream().mapToLong(each -> each.endNanos() - each.startNanos()).sum(),
          stalls.stream().mapToDouble(Stall::peakLoad).max().orElse(0),
          places,
          (int) stalls.stream().filter(each -> each.behaviour() == Behaviour.HOST_SILENT).count(),
          waitedFor,
          likely,
          possible,
          List.copyOf(waiters.values()));
    }

    private List<CauseSummary> causes(Predicate<Cause> which) {
      Map<List<String>, Integer> counts = new LinkedHashMap<>();
      for (Stall stall : stalls) {
        stall.causes().stream()
            .filter(which)
            .map(cause -> List.of(cause.kind(), cause.node()))
            .distinct()
            .forEach(cause -> counts.merge(cause, 1, Integer::sum));
      }
      return counts.entrySet().stream()
          .map(each ->
              new CauseSummary(each.getKey().getFirst(), each.getKey().getLast(), each.getValue()))
          .sorted(Comparator.comparingInt(CauseSummary::stalls).reversed())
          .toList();
    }
  }

  private StallEpisodes() {}

  /**
   * The episodes, those stalled longest in all first.
   *
   * @param servers the servers, from the users' side to the database, with their stalls in order of
   *     time
   */
  public static List<StallEpisode> of(List<ServerFindings> servers) {
    List<Growing> all = new ArrayList<>();
    for (ServerFindings server : servers.reversed()) {
      List<Growing> own = new ArrayList<>();
      for (int place = 0; place < server.stalls().size(); place++) {
        Stall stall = server.stalls().get(place);
        String awaited = stall.behaviour() == Behaviour.WAITED ? stall.waitedFor() : null;
        Growing cause = awaited == null ? null : joined(stall, awaited, all);
        if (cause == null) {
          gather(server.name(), place, stall, awaited, own);
        } else {
          cause.waits(server.name(), stall);
        }
      }
      all.addAll(own);
    }
    return all.stream()
        .map(Growing::done)
        .sorted(
            Comparator.comparingLong(StallEpisode::stalledNanos)
                .reversed()
                .thenComparingLong(StallEpisode::startNanos))
        .toList();
  }

  /** The episode of the awaited server that shares most time with a wait; null where none does. */
  private static @Nullable Growing joined(Stall stall, String awaited, List<Growing> all) {
    return all.stream()
        .filter(each -> each.involves(awaited) && each.overlapNanos(stall) > -GAP_NANOS)
        .max(Comparator.comparingLong(each -> each.overlapNanos(stall)))
        .orElse(null);
  }

  private static void gather(
      String server, int place, Stall stall, @Nullable String awaited, List<Growing> own) {
    Growing near =
        own.stream()
            .filter(each -> Objects.equals(each.waitedFor, awaited))
            .filter(each -> each.overlapNanos(stall) >= -GAP_NANOS)
            .findFirst()
            .orElseGet(() -> {
              Growing started = new Growing(server, awaited);
              own.add(started);
              return started;
            });
    near.add(stall, place);
  }
}
