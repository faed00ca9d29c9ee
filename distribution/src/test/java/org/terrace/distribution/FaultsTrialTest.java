package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.capture.CaptureRights;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialRunner;
import org.terrace.experiment.ValidityCheck;
import org.terrace.nodes.fault.PacketRules;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.RequestTable;
import org.terrace.specification.SpecificationReader;

/**
 * Faults of a database, of the network and of the load, on real servers: each begins and ends when
 * it was planned, and shows in the findings at the server that it struck.
 */
@Timeout(240)
@Tag("real-processes")
@Tag("long")
class FaultsTrialTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final long MILLI = 1_000_000L;
  private static final long CALM_NANOS = 2_000 * MILLI;

  /** Six writes have to come within it, which then wait in all connections of the pool. */
  private static final long LOCK_MILLIS = 4_000;

  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: small-faults
      topology: 1/1/0/1
      load: {closed: {users: 60, think: exp(400ms)}, mix: read-write}
      phases: {rampUp: 2s, run: 22s, rampDown: 1s}
      faults:
        - {burst: 6, at: 3s, for: 2s}
        - {row-lock: database1, at: 7s, for: 4s}
        - {checkpoint: database1, at: 13s, dirty: 32m}
      """;
  private static final String ENDING =
      """
      limits: {app: {threads: 40, pool: 6, backlog: 64}}
      collector: {app: g1}
      observe: {packets: PACKETS, sample: 500ms}
      data: {scale: 0.002, seed: 1}
      network: 127.17
      """;

  @TempDir Path directory;

  @BeforeAll
  static void requireDistribution() {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  private static boolean dropsArePermitted() {
    try {
      PacketRules.openings(PacketRules.NOBODY).tryOut();
      return true;
    } catch (TerraceException e) {
      return false;
    }
  }

  @Test
  void eachFaultHappensWhenPlannedAndShowsAtTheServerItStruck() throws Exception {
    boolean packets = CaptureRights.ofThisProcess().builtIn();
    boolean drops = dropsArePermitted();
    Trial trial = run(packets, drops);

    assertThat(failed(trial)).doesNotContain("servers-alive", "faults-happened");
    Event run = only(trial, EventKinds.PHASE_RUN);
    assertStruck(trial, EventKinds.FAULT_BURST, run, 3_000, 2_000);
    assertStruck(trial, EventKinds.FAULT_ROW_LOCK, run, 7_000, LOCK_MILLIS);
    assertStruck(trial, EventKinds.FAULT_CHECKPOINT, run, 13_000, 0);
    assertThat(only(trial, EventKinds.FAULT_DIRTY_PAGES).endNanos())
        .isLessThanOrEqualTo(only(trial, EventKinds.FAULT_CHECKPOINT).startNanos());
    assertHurry(trial, only(trial, EventKinds.FAULT_BURST));
    if (drops) {
      assertStruck(trial, EventKinds.FAULT_SYN_DROP, run, 17_000, 2_000);
    }
    if (packets) {
      assertShows(TrialAnalysis.of(trial), trial, drops);
    }
  }

  private Trial run(boolean packets, boolean drops) throws InterruptedException {
    String text =
        SPECIFICATION
            + (drops ? "  - {syn-drop: web1, at: 17s, for: 2s}\n" : "")
            + ENDING.replace("PACKETS", Boolean.toString(packets));
    return new TrialRunner(TrialOptions.ofHome(HOME), TrialListener.SILENT)
        .run(SpecificationReader.read("faults.yaml", text), text, directory.resolve("out"));
  }

  private static List<String> failed(Trial trial) {
    return trial.validity().stream()
        .filter(check -> !check.passed())
        .map(ValidityCheck::check)
        .toList();
  }

  private static Event only(Trial trial, String kind) {
    List<Event> found = trial.events().stream().filter(event -> event.kind().equals(kind)).toList();
    assertThat(found).as(kind).hasSize(1);
    return found.getFirst();
  }

  /** A fault began when it was due, or a little later, and lasted as long as it was to. */
  private static void assertStruck(
      Trial trial, String kind, Event run, long atMillis, long lengthMillis) {
    Event event = only(trial, kind);
    assertThat((event.startNanos() - run.startNanos()) / MILLI)
        .as(kind)
        .isBetween(atMillis - 100, atMillis + 3_000);
    assertThat((event.endNanos() - event.startNanos()) / MILLI)
        .as(kind)
        .isBetween(lengthMillis - 10, lengthMillis + 5_000);
  }

  /**
   * Users ask for half as much again in the burst as in as long a time of the two seconds before.
   * Six times as much is planned, of which a machine with other work serves less.
   */
  private static void assertHurry(Trial trial, Event burst) {
    long length = burst.endNanos() - burst.startNanos();
    long inside = requests(trial, burst.startNanos(), burst.endNanos());
    long before = requests(trial, burst.startNanos() - CALM_NANOS, burst.startNanos());
    assertThat((double) inside / length).isGreaterThan(1.5 * before / CALM_NANOS);
  }

  private static long requests(Trial trial, long from, long to) {
    RequestTable requests = trial.clientRequests();
    return IntStream.range(0, requests.size())
        .filter(row -> requests.intendedNanos(row) >= from && requests.intendedNanos(row) < to)
        .count();
  }

  private static void assertShows(TrialAnalysis analysis, Trial trial, boolean drops) {
    Event locked = only(trial, EventKinds.FAULT_ROW_LOCK);
    assertThat(longestStallMillis(analysis, locked))
        .as("the longest stall while rows of the database were held")
        .isGreaterThan(300);
    assertThat(causes(analysis, locked))
        .as("the causes of what the findings tell of that time")
        .anySatisfy(cause -> {
          assertThat(cause.kind()).isEqualTo(EventKinds.FAULT_ROW_LOCK);
          assertThat(cause.node()).isEqualTo("database1");
        });
    if (drops) {
      Event dropped = only(trial, EventKinds.FAULT_SYN_DROP);
      assertThat(dropped.attributes()).containsKey("droppedPackets");
      assertThat(analysis.observation().events())
          .filteredOn(event -> event.kind().equals(EventKinds.TCP_REPEATED_SYN))
          .as("connections that were asked for again")
          .anySatisfy(event -> {
            assertThat(event.node()).isEqualTo("web1");
            assertThat(event.startNanos()).isLessThan(dropped.endNanos());
            assertThat(event.endNanos()).isGreaterThan(dropped.startNanos());
          });
    }
  }

  /** The longest stall of any server that an event overlaps. */
  private static double longestStallMillis(TrialAnalysis analysis, Event event) {
    return analysis.result().findings().servers().stream()
        .flatMap(server -> server.stalls().stream())
        .filter(stall -> overlaps(event, stall.startNanos(), stall.endNanos()))
        .mapToDouble(stall -> (stall.endNanos() - stall.startNanos()) / (double) MILLI)
        .max()
        .orElse(0);
  }

  /** The causes of the stalls and of the congestion of all servers that an event overlaps. */
  private static List<Findings.Cause> causes(TrialAnalysis analysis, Event event) {
    List<Findings.Cause> causes = new ArrayList<>();
    for (ServerFindings server : analysis.result().findings().servers()) {
      server.stalls().stream()
          .filter(stall -> overlaps(event, stall.startNanos(), stall.endNanos()))
          .forEach(stall -> causes.addAll(stall.causes()));
      server.episodes().stream()
          .filter(episode -> overlaps(event, episode.startNanos(), episode.endNanos()))
          .forEach(episode -> causes.addAll(episode.causes()));
    }
    return causes;
  }

  private static boolean overlaps(Event event, long startNanos, long endNanos) {
    return startNanos < event.endNanos() && endNanos > event.startNanos();
  }
}
