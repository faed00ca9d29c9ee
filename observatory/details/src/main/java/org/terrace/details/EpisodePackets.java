package org.terrace.details;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.StallPackets;
import org.terrace.analysis.finding.StallPackets.FrameRange;
import org.terrace.analysis.finding.StallPackets.HeldRequest;
import org.terrace.observation.DisplayFilter;
import org.terrace.observation.Exchange;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/** The packets of episodes of stalls, and the requests that were held in them. Immutable. */
final class EpisodePackets {
  /** Episodes that are followed to their packets, the longest. */
  private static final int EPISODES_MAX = 100;

  /** Stalls of one episode of which the packets are told. */
  private static final int STALLS_MAX = 100;

  /** Requests named of one episode. */
  private static final int HELD_MAX = 3;

  private static final double NANOS_PER_MICRO = 1_000;

  private final RequestTable table;
  private final Map<String, List<Stall>> stalls = new HashMap<>();
  private final Map<String, List<String>> addresses = new HashMap<>();

  EpisodePackets(Observation observation, List<ServerFindings> servers) {

    table = observation.requests();
    servers.forEach(server -> stalls.put(server.name(), server.stalls()));
    for (Server server : observation.servers()) {
      addresses.put(server.name(), server.addresses());
    }
  }

  /** The requests held in one episode. */
  private static final class Held {
    private final StallEpisode episode;
    private final PriorityQueue<Integer> longest;
    private long count;

    Held(StallEpisode episode, Comparator<Integer> shortestFirst) {
      this.episode = episode;
      longest = new PriorityQueue<>(shortestFirst);
    }

    void add(int row) {
      count++;
      longest.add(row);
      if (longest.size() > HELD_MAX) {
        longest.remove();
      }
    }
  }

  /** The same episodes, the first of them with their packets. */
  List<StallEpisode> of(List<StallEpisode> episodes) {
    List<StallEpisode> followed = episodes.subList(0, Math.min(EPISODES_MAX, episodes.size()));
    List<Held> held = held(followed);
    List<Stall> all = followed.stream().flatMap(each -> stallsOf(each).stream()).toList();
    FrameTimes frames =
        new FrameTimes(
            table,
            LongStream.concat(
                    followed.stream().mapToLong(StallEpisode::startNanos),
                    all.stream().mapToLong(Stall::startNanos))
                .toArray(),
            LongStream.concat(
                    followed.stream().mapToLong(StallEpisode::endNanos),
                    all.stream().mapToLong(Stall::endNanos))
                .toArray());
    List<StallEpisode> told = new ArrayList<>();
    for (Held each : held) {
      told.add(each.episode.withPackets(packets(each, frames)));
    }
    told.addAll(episodes.subList(followed.size(), episodes.size()));
    return told;
  }

  private List<Stall> stallsOf(StallEpisode episode) {
    List<Stall> of = stalls.getOrDefault(episode.server(), List.of());
    return episode.stalls().stream()
        .limit(STALLS_MAX)
        .filter(place -> place < of.size())
        .map(of::get)
        .toList();
  }

  private List<Held> held(List<StallEpisode> episodes) {
    Comparator<Integer> shortestFirst =
        Comparator.comparingLong(row -> table.departureNanos(row) - table.arrivalNanos(row));
    List<Held> all = new ArrayList<>();
    Map<Integer, List<Held>> byServer = new HashMap<>();
    for (StallEpisode episode : episodes) {
      Held held = new Held(episode, shortestFirst);
      all.add(held);
      byServer
          .computeIfAbsent(table.servers().indexOf(episode.server()), server -> new ArrayList<>())
          .add(held);
    }
    for (int row = 0; row < table.size(); row++) {
      for (Held each : byServer.getOrDefault(table.server(row), List.of())) {
        if (table.arrivalNanos(row) < each.episode.endNanos()
            && table.departureNanos(row) > each.episode.startNanos()) {
          each.add(row);
        }
      }
    }
    return all;
  }

  private StallPackets packets(Held held, FrameTimes frames) {
    StallEpisode episode = held.episode;
    FrameRange range = range(frames, episode.startNanos(), episode.endNanos());
    Long first = range.first();
    Long last = range.last();
    String when =
        first == null || last == null
            ? DisplayFilter.times(episode.startNanos(), episode.endNanos())
            : DisplayFilter.frames(first, last);
    String filter =
        DisplayFilter.addresses(addresses.getOrDefault(episode.server(), List.of()))
            .map(where -> when + " && " + where)
            .orElse(when);
    List<HeldRequest> longest =
        held.longest.stream()
            .sorted(held.longest.comparator().reversed())
            .map(this::named)
            .toList();
    return new StallPackets(
        first,
        last,
        filter,
        held.count,
        longest,
        stallsOf(episode).stream()
            .map(stall -> range(frames, stall.startNanos(), stall.endNanos()))
            .toList());
  }

  /** The frames of a stretch; none where they do not rise with time, as in several captures. */
  private static FrameRange range(FrameTimes frames, long startNanos, long endNanos) {
    long first = frames.before(startNanos);
    long last = frames.after(endNanos);
    return first == Exchange.UNKNOWN || last == Exchange.UNKNOWN || first > last
        ? new FrameRange(null, null)
        : new FrameRange(first, last);
  }

  private HeldRequest named(int row) {
    Exchange exchange = table.exchange(row);
    return new HeldRequest(
        table.requestClasses().get(table.requestClass(row)),
        table.clients().get(table.client(row)),
        table.arrivalNanos(row),
        (table.departureNanos(row) - table.arrivalNanos(row)) / NANOS_PER_MICRO,
        table.outcome(row).name().toLowerCase(Locale.ROOT),
        known(exchange.firstFrame()),
        known(exchange.lastFrame()));
  }

  private static @Nullable Long known(long frame) {
    return frame == Exchange.UNKNOWN ? null : (Long) frame;
  }
}
