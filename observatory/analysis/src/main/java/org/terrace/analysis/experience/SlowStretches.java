package org.terrace.analysis.experience;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.SlowStretch;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.core.Percentiles;

/** The rule by which seconds are slow, and slow seconds one stretch. Stateless. */
final class SlowStretches {
  /** A second is slow from this many times the usual 99th percentile. */
  static final double SLOWER = 3;

  /** A second is not slow unless it is this much above the usual, in microseconds. */
  static final double LEAST_EXCESS_MICROS = 10_000;

  /** A second with less than this part of the median of answers is slow, if requests pile up. */
  static final double HARDLY_ANY = 0.25;

  /** Fewer answers a second than this are too few for their absence to say anything. */
  static final double FEWEST_ANSWERS = 20;

  /** Requests pile up from this many times those in flight in the quietest quarter. */
  static final double PILED_UP = 2;

  /** Slow seconds with at most this many others between them are one stretch. */
  static final int SECONDS_BETWEEN = 1;

  private SlowStretches() {}

  /** The 99th percentile that the quietest quarter does not exceed; null without answers. */
  static @Nullable Double usual(ClientSeconds clients) {
    double[] known =
        Arrays.stream(clients.p99Micros()).filter(each -> !Double.isNaN(each)).toArray();
    return known.length == 0 ? null : percentile(known, 25);
  }

  /** The slow stretches in order of time, each with the episode that stood still longest in it. */
  static List<SlowStretch> of(
      ClientSeconds clients,
      double usual,
      List<ServerFindings> servers,
      List<StallEpisode> episodes) {
    Map<String, ServerFindings> byName =
        servers.stream()
            .collect(Collectors.toMap(ServerFindings::name, Function.identity(), (a, b) -> a));
    return slow(clients, usual).stream()
        .map(each -> {
          // Answers count when they end: what held those of the first second may lie before it.
          long from = each.startNanos() - clients.intervalNanos();
          return new SlowStretch(
              each.startNanos(),
              each.endNanos(),
              each.worstP99Micros(),
              each.excessMicros(),
              each.heldUpSeconds(),
              longest(from, each.endNanos(), byName, episodes));
        })
        .toList();
  }

  private static @Nullable Integer longest(
      long from, long to, Map<String, ServerFindings> servers, List<StallEpisode> episodes) {
    Integer longest = null;
    long most = 0;
    for (int i = 0; i < episodes.size(); i++) {
      StallEpisode episode = episodes.get(i);
      ServerFindings server = servers.get(episode.server());
      if (episode.waitedFor() == null && server != null) {
        long stalled = stalledWithin(from, to, episode, server);
        if (stalled > most) {
          most = stalled;
          longest = i;
        }
      }
    }
    return longest;
  }

  private static long stalledWithin(
      long from, long to, StallEpisode episode, ServerFindings server) {
    long sum = 0;
    for (int place : episode.stalls()) {
      Stall stall = server.stalls().get(place);
      sum += Math.max(0, Math.min(stall.endNanos(), to) - Math.max(stall.startNanos(), from));
    }
    return sum;
  }

  /** The percentile of the values, which are in any order; zero without values. */
  private static double percentile(double[] values, double percentile) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : Percentiles.ofSorted(sorted, percentile);
  }

  /** Seconds in which requests piled up and hardly any was answered. */
  private static boolean[] heldUp(ClientSeconds clients) {
    double answers = percentile(clients.answersPerSecond(), 50);
    double inFlight = percentile(clients.inFlight(), 25);
    boolean[] held = new boolean[clients.p99Micros().length];
    for (int i = 0; i < held.length; i++) {
      held[i] =
          answers >= FEWEST_ANSWERS
              && clients.answersPerSecond()[i] < HARDLY_ANY * answers
              && clients.inFlight()[i] > PILED_UP * inFlight;
    }
    return held;
  }

  private static List<SlowStretch> slow(ClientSeconds clients, double usual) {
    double limit = Math.max(SLOWER * usual, usual + LEAST_EXCESS_MICROS);
    boolean[] held = heldUp(clients);
    List<SlowStretch> found = new ArrayList<>();
    int last = 0;
    for (int i = 0; i < clients.p99Micros().length; i++) {
      double p99 = Double.isNaN(clients.p99Micros()[i]) ? 0 : clients.p99Micros()[i];
      if (!(p99 > limit) && !held[i]) {
        continue;
      }
      double excess = Math.max(p99, held[i] ? limit : 0) - usual;
      long start = clients.startNanos() + i * clients.intervalNanos();
      long end = start + clients.intervalNanos();
      if (!found.isEmpty() && i - last <= 1 + SECONDS_BETWEEN) {
        SlowStretch before = found.removeLast();
        found.add(
            new SlowStretch(
                before.startNanos(),
                end,
                Math.max(before.worstP99Micros(), p99),
                before.excessMicros() + excess,
                before.heldUpSeconds() + (held[i] ? 1 : 0),
                null));
      } else {
        found.add(new SlowStretch(start, end, p99, excess, held[i] ? 1 : 0, null));
      }
      last = i;
    }
    return found;
  }
}
