package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.RadixSort;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.RequestTable;

/**
 * Stalls against the truth on recorded trials of real servers: a web server, two application
 * servers and PostgreSQL on one machine of two cores, each stopped by SIGSTOP and continued by
 * SIGCONT at known times for 15 to 220 ms, and garbage collections from the servers' logs. Other
 * work shared the machine, so servers also stood still for want of a processor; such stalls have no
 * event, and are counted, not forbidden.
 */
class InjectedStopsTest {
  private static final long SHORTEST_NANOS = 20_000_000L;
  private static final double SUPPRESSED_MESSAGES = 15;
  private static final long MILLI = 1_000_000L;

  /** A stretch of time of one server. */
  private record Span(long from, long to) {
    boolean overlaps(Span other) {
      return from < other.to && to > other.from;
    }
  }

  /** The score of the stops of one trial: injected, found, explained. */
  private static final class Score {
    private int stops;
    private int found;
    private int foundByBaseline;
    private int withoutEvent;
    private int baselineWithoutEvent;
    private int waited;
    private int waitedRightly;
    private final List<Double> edgeMillis = new ArrayList<>();
  }

  @ParameterizedTest
  @ValueSource(strings = {"quiet", "middle"})
  void findsWhoStoodStillAndWhoOnlyWaited(String trial) throws Exception {
    Score score = score(ObservationFiles.read(folder(trial)));

    double median =
        score.edgeMillis.stream()
            .sorted()
            .skip(score.edgeMillis.size() / 2)
            .findFirst()
            .orElseThrow();
    System.out.printf(
        "%s: of %d stops found %d, by the baseline %d; stalls without an event %d, by the baseline"
            + " %d; waits %d, of which %d during a stop further on; median edge error %.2f ms%n",
        trial,
        score.stops,
        score.found,
        score.foundByBaseline,
        score.withoutEvent,
        score.baselineWithoutEvent,
        score.waited,
        score.waitedRightly,
        median);
    assertThat(score.found).as("recall").isGreaterThanOrEqualTo((int) (0.88 * score.stops));
    assertThat(score.found).isGreaterThanOrEqualTo(score.foundByBaseline - 1);
    assertThat(score.withoutEvent).isLessThan(score.baselineWithoutEvent / 20);
    assertThat(score.waitedRightly).isGreaterThanOrEqualTo((int) (0.7 * score.waited));
    assertThat(median).isLessThan(5);
  }

  private static Score score(Observation observation) {
    Score score = new Score();
    Stretch stretch = Analysis.stretchOf(observation);
    RequestTable table = observation.requests();
    List<List<CallsOut>> calls = CallsOut.of(table);
    ServerRequests[] split = ServerRequests.split(table);
    RadixSort sort = new RadixSort();
    for (int i = 0; i < split.length; i++) {
      if (observation.servers().stream().map(s -> s.name()).toList().contains(split[i].server)) {
        Cells cells = Cells.of(split[i], stretch);
        Residences residences = Residences.of(split[i], stretch, sort);
        List<DetectedStall> stalls =
            ServerStalls.detect(split[i], calls.get(i), cells, residences, stretch, sort).stalls();
        double messages =
            residences.count() + calls.get(i).stream().mapToInt(each -> each.sent.length).sum();
        score(
            score,
            observation,
            split[i].server,
            stalls,
            baseline(cells),
            messages / stretch.seconds(),
            stretch);
      }
    }
    return score;
  }

  private static void score(
      Score score,
      Observation observation,
      String server,
      List<DetectedStall> stalls,
      List<Span> baseline,
      double messagesPerSecond,
      Stretch stretch) {
    List<Span> standing =
        stalls.stream()
            .filter(stall -> stall.behaviour() == Findings.Behaviour.STOOD_STILL)
            .map(stall -> new Span(stall.startNanos(), stall.endNanos()))
            .toList();
    List<Span> known = new ArrayList<>();
    for (Event event : observation.events()) {
      Span span = new Span(event.startNanos(), event.endNanos());
      boolean stops =
          event.kind().equals(EventKinds.FAULT_PAUSE) || event.kind().equals(EventKinds.GC_PAUSE);
      if (!event.node().equals(server)) {
        continue;
      }
      known.add(new Span(span.from - 3 * MILLI, span.to + 3 * MILLI));
      long length = span.to - span.from;
      if (stops
          && length >= SHORTEST_NANOS
          && span.from >= stretch.startNanos()
          && span.to <= stretch.endNanos()
          && messagesPerSecond * length / 1e9 >= SUPPRESSED_MESSAGES) {
        score.stops++;
        score.foundByBaseline += baseline.stream().anyMatch(span::overlaps) ? 1 : 0;
        standing.stream()
            .filter(span::overlaps)
            .findFirst()
            .ifPresent(found -> {
              score.found++;
              score.edgeMillis.add(Math.abs(found.to - span.to) / 1e6);
            });
      }
    }
    score.withoutEvent += count(standing, known);
    score.baselineWithoutEvent += count(baseline, known);
    int tier = tier(observation, server);
    for (DetectedStall stall : stalls) {
      if (stall.behaviour() == Findings.Behaviour.WAITED) {
        Span span = new Span(stall.startNanos(), stall.endNanos());
        score.waited++;
        boolean right =
            observation.events().stream()
                .filter(event -> tier(observation, event.node()) > tier)
                .anyMatch(event -> span.overlaps(new Span(event.startNanos(), event.endNanos())));
        score.waitedRightly += right ? 1 : 0;
      }
    }
  }

  private static int count(List<Span> stalls, List<Span> known) {
    return (int) stalls.stream().filter(stall -> known.stream().noneMatch(stall::overlaps)).count();
  }

  private static int tier(Observation observation, String node) {
    List<String> tiers = observation.servers().stream().map(s -> s.tier()).distinct().toList();
    return observation.servers().stream()
        .filter(server -> server.name().equals(node))
        .mapToInt(server -> tiers.indexOf(server.tier()))
        .findFirst()
        .orElse(-1);
  }

  /**
   * The plain method to beat: joined windows of 10 ms without an answer at more than median load.
   */
  private static List<Span> baseline(Cells cells) {
    double[] load = cells.load(WindowLengths.STALL_MILLIS);
    double[] throughput = cells.throughput(WindowLengths.STALL_MILLIS);
    double median = Arrays.stream(load).sorted().skip(load.length / 2).findFirst().orElse(0);
    List<Span> spans = new ArrayList<>();
    for (int window = 0; window < load.length; window++) {
      if (throughput[window] == 0 && load[window] > median) {
        long from = cells.startNanos + (long) window * WindowLengths.STALL_MILLIS * MILLI;
        long to = from + WindowLengths.STALL_MILLIS * MILLI;
        boolean joins = !spans.isEmpty() && spans.getLast().to == from;
        spans.add(new Span(joins ? spans.removeLast().from : from, to));
      }
    }
    return spans;
  }

  static Path folder(String trial) throws URISyntaxException {
    return Path.of(InjectedStopsTest.class.getResource("stops/" + trial).toURI());
  }
}
