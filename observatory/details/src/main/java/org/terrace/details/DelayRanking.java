package org.terrace.details;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.CauseDelay;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.DelayCauses;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.Verdict;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The significant causes of each server, ranked by {@link DelayReplay}: the server's requests are
 * replayed without the events of one cause, and without those of all. Of bursts the arrivals beyond
 * the usual are taken out; what a paused server of an earlier tier passed on is spread over the
 * pause. Intervals are of whole episodes, and know nothing of the error of the model. A kill, and
 * what befell a server whose load this one took over, are listed without a share. Pure.
 */
public final class DelayRanking {
  private static final long INSTANT_NANOS = 100_000_000L;
  private static final int NAMED = 4;
  private static final Set<String> CROWDS = Set.of(EventKinds.BURST, EventKinds.FAULT_BURST);

  private final List<Event> events;
  private final List<ServerFindings> servers;
  private final long startNanos;
  private final int cells;

  /** A kind of events at a node. */
  private record Name(String kind, String node) {}

  /**
   * Ranks the causes of servers that were watched together.
   *
   * @param events the events of the whole observation
   * @param servers the findings of all servers
   * @param startNanos the start of the analysed stretch, in nanoseconds since the Unix epoch
   * @param endNanos its end
   */
  public DelayRanking(
      List<Event> events, List<ServerFindings> servers, long startNanos, long endNanos) {
    this.events = events;
    this.servers = servers;
    this.startNanos = startNanos;
    cells = DelayCells.of(startNanos, endNanos);
  }

  /** Whether a server stalled or was congested, so that there may be a delay to rank. */
  static boolean isDisturbed(ServerFindings server) {
    return !server.stalls().isEmpty() || !server.episodes().isEmpty();
  }

  /**
   * The causes of a server's delay; null where it stalled and congested nowhere.
   *
   * @param requests its requests in the stretch; null will do where nothing disturbed it
   */
  public @Nullable DelayCauses of(ServerFindings server, @Nullable DelayCells requests) {
    if (cells == 0 || requests == null || !isDisturbed(server)) {
      return null;
    }
    DelayReplay replay = replay(server, requests);
    double[] over = replay.overUsual();
    double all = Arrays.stream(over).sum();
    if (all <= 0) {
      return null;
    }
    Set<Name> names = new LinkedHashSet<>();
    Stream.concat(
            server.stalls().stream().flatMap(each -> each.causes().stream()),
            server.episodes().stream().flatMap(each -> each.causes().stream()))
        .filter(Findings.Cause::significant)
        .forEach(cause -> names.add(new Name(cause.kind(), cause.node())));
    List<CauseDelay> causes = new ArrayList<>();
    List<int[]> episodes = replay.episodes();
    List<Name> replayed = new ArrayList<>();
    List<CauseDelay> others = new ArrayList<>();
    for (Name name : names) {
      if (isReplayed(name, server)) {
        replayed.add(name);
        EpisodeShare share = share(saved(replay, server, List.of(name)), over, episodes);
        causes.add(new CauseDelay(name.kind, name.node, share.share(), share.low(), share.high()));
      } else {
        others.add(new CauseDelay(name.kind, name.node, null, null, null));
      }
    }
    causes.sort(
        Comparator.comparingDouble(
            (CauseDelay each) -> -Objects.requireNonNullElse(each.share(), 0.0)));
    causes.addAll(others);
    EpisodeShare explained = share(saved(replay, server, replayed), over, episodes);
    double[] each =
        episodes.stream().mapToDouble(one -> Arrays.stream(over, one[0], one[1]).sum()).toArray();
    double largest = Arrays.stream(each).max().orElse(0) / Arrays.stream(each).sum();
    return new DelayCauses(
        all,
        episodes.size(),
        causes,
        1 - explained.share(),
        rest(explained.high()),
        rest(explained.low()),
        Double.isNaN(largest) ? null : (Double) largest);
  }

  private static @Nullable Double rest(@Nullable Double share) {
    return share == null ? null : (Double) (1 - share);
  }

  private DelayReplay replay(ServerFindings server, DelayCells requests) {
    boolean[] stalled = new boolean[cells];
    boolean[] slow = new boolean[cells];
    for (Findings.Stall each : server.stalls()) {
      mark(stalled, each.startNanos(), each.endNanos());
      mark(slow, each.startNanos(), each.endNanos());
    }
    for (CongestionEpisode each : server.episodes()) {
      mark(stalled, each.startNanos(), each.endNanos());
      if (each.kind() == CongestionEpisode.Kind.SLOW) {
        mark(slow, each.startNanos(), each.endNanos());
      }
    }
    return requests.replay(stalled, slow);
  }

  private double[] saved(DelayReplay replay, ServerFindings server, List<Name> names) {
    boolean[] freed = new boolean[cells];
    boolean[] crowded = new boolean[cells];
    List<int[]> released = new ArrayList<>();
    for (Event event : events) {
      if (names.contains(new Name(event.kind(), event.node()))) {
        long start = event.startNanos();
        long end = event.endNanos() > start ? event.endNanos() : start + INSTANT_NANOS;
        if (CROWDS.contains(event.kind())) {
          mark(crowded, start, end);
        } else if (isEarlier(event.node(), server)) {
          addReleased(released, event.node(), start, end);
        } else {
          mark(freed, start, end);
        }
      }
    }
    double[] came = replay.withoutCrowd(replay.arrivals(), crowded);
    released.addAll(replay.aftermath(freed));
    return replay.saved(freed, replay.spread(came, released));
  }

  /** Adds the times in which an earlier server held up, and passed on, what came meanwhile. */
  private void addReleased(List<int[]> released, String node, long start, long end) {
    for (ServerFindings earlier : servers) {
      if (earlier.name().equals(node)) {
        for (Findings.Stall stall : earlier.stalls()) {
          boolean stoodStill = stall.behaviour() != Findings.Behaviour.WAITED;
          if (stoodStill && stall.startNanos() < end && start < stall.endNanos()) {
            int from = cell(stall.startNanos());
            int to = Math.min(cells, cell(2 * stall.endNanos() - stall.startNanos()) + 1);
            released.add(new int[] {from, Math.max(from, to)});
          }
        }
      }
    }
  }

  private boolean isEarlier(String node, ServerFindings server) {
    List<String> tiers = servers.stream().map(ServerFindings::tier).distinct().toList();
    return servers.stream()
        .filter(each -> each.name().equals(node))
        .anyMatch(each -> tiers.indexOf(each.tier()) < tiers.indexOf(server.tier()));
  }

  private int cell(long nanos) {
    return Math.clamp((nanos - startNanos) / DelayReplay.CELL_NANOS, 0, cells);
  }

  /** Marks the cells that a stretch of time touches. */
  private void mark(boolean[] marked, long fromNanos, long toNanos) {
    if (toNanos > startNanos) {
      Arrays.fill(marked, cell(fromNanos), Math.min(cells, cell(toNanos - 1) + 1), true);
    }
  }

  /** The part of the one sum in the other, by episodes. */
  private static EpisodeShare share(double[] part, double[] whole, List<int[]> episodes) {
    double[] parts = new double[episodes.size()];
    double[] wholes = new double[parts.length];
    for (int i = 0; i < parts.length; i++) {
      int[] each = episodes.get(i);
      parts[i] = Arrays.stream(part, each[0], each[1]).sum();
      wholes[i] = Arrays.stream(whole, each[0], each[1]).sum();
    }
    return EpisodeShare.of(parts, wholes);
  }

  /** Whether a replay of a server's own requests shows what an event did to it. */
  private boolean isReplayed(Name name, ServerFindings server) {
    // A kill ends requests, and acts while others take over what came: arrivals hold both.
    return !name.kind.equals(EventKinds.FAULT_KILL)
        && servers.stream()
            .filter(each -> each.name().equals(name.node))
            .allMatch(
                each -> each.name().equals(server.name()) || !each.tier().equals(server.tier()));
  }

  /**
   * The causes of a server's delay as one line: {@code app1: 4.1 request-seconds over the usual: GC
   * pauses of app1 86 % (80 to 90) ...}.
   */
  public static String sentence(ServerFindings server) {
    DelayCauses delays = Objects.requireNonNull(server.delays());
    StringBuilder words = new StringBuilder();
    int episodes = delays.episodes();
    words.append(
        String.format(
            Locale.ROOT,
            "%s: %,.1f request-seconds over the usual in %,d %s%s:",
            server.name(),
            delays.overUsualSeconds(),
            episodes,
            episodes == 1 ? "episode" : "episodes",
            delays.unexplainedLow() == null ? withoutInterval(delays) : ""));
    int named = 0;
    boolean all = true;
    for (CauseDelay cause : delays.causes()) {
      Double share = cause.share();
      all &= share != null;
      if (share == null || named++ < NAMED) {
        words
            .append(' ')
            .append(new Verdict.CauseSummary(cause.kind(), cause.node(), 2).words())
            .append(share == null ? " not replayed" : percent(share, cause.low(), cause.high()))
            .append(',');
      }
    }
    return words
        .append(all ? " unexplained" : " unexplained or not replayed")
        .append(
            percent(delays.unexplainedShare(), delays.unexplainedLow(), delays.unexplainedHigh()))
        .toString();
  }

  /** The reason for which no share has an interval, in brackets. */
  private static String withoutInterval(DelayCauses delays) {
    Double largest = delays.largestEpisodeShare();
    return delays.episodes() < EpisodeShare.FEWEST
        ? " (no intervals: too few)"
        : largest == null
            ? ""
            : String.format(
                Locale.ROOT, " (no intervals: one episode has %.0f %% of it)", 100 * largest);
  }

  private static String percent(double share, @Nullable Double low, @Nullable Double high) {
    String part = String.format(Locale.ROOT, " %.0f %%", 100 * share);
    return low == null || high == null
        ? part
        : part + String.format(Locale.ROOT, " (%.0f to %.0f)", 100 * low, 100 * high);
  }
}
