package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.capture.CaptureRights;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialPhase;
import org.terrace.experiment.TrialRunner;
import org.terrace.experiment.ValidityCheck;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.specification.SpecificationReader;

/** A whole small trial: real database, board, proxy, users and, where permitted, packets. */
@Timeout(180)
@Tag("real-processes")
class TrialTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final double MOST_ERRORS = 0.01;
  private static final int USERS = 40;
  private static final Pattern UPDATES =
      Pattern.compile("Store.*|RegisterUser|AcceptStory|RejectStory");

  /** The time in which a page is on its way to a server that has just died. */
  private static final long REACHED_NANOS = 100_000_000L;

  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: small
      topology: 1/2/0/1
      web: WEB
      load: {closed: {users: USERS, think: exp(500ms)}, mix: read-write}
      phases: {rampUp: 1s, run: 5s, rampDown: 1s}
      faults:
        - {kill: app1, at: 1500ms, restart: 500ms}
        - {pause: database1, at: 3s, for: 200ms}
        - {gc-pressure: app2, at: 3500ms, for: 1s}
      observe: {packets: PACKETS, sample: 500ms}
      limits: {app2: {cpu: 0.7}}
      data: {scale: 0.001, seed: 1}
      network: 127.15
      """;

  @TempDir Path directory;

  @BeforeAll
  static void requireDistribution() {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  @Test
  void aTrialRunsItsFaultsIsWatchedAndLeavesNothingRunning() throws Exception {
    boolean packets = CaptureRights.ofThisProcess().builtIn();
    Recorder recorder = new Recorder();

    Trial trial = run("proxy", packets, recorder);

    assertThat(recorder.phases).containsExactly(TrialPhase.values());
    assertThat(recorder.progress).hasSizeGreaterThan(2);
    assertThat(events(trial, EventKinds.PHASE_RUN)).hasSize(1);
    Event run = events(trial, EventKinds.PHASE_RUN).getFirst();
    Event kill = events(trial, EventKinds.FAULT_KILL).getFirst();
    assertThat(kill.node()).isEqualTo("app1");
    assertThat(kill.startNanos() - run.startNanos()).isBetween(1_500_000_000L, 4_500_000_000L);
    assertThat(lost(trial, row -> !isUpdateInFlight(trial.clientRequests(), row, kill)))
        .isLessThanOrEqualTo(Math.max(2, MOST_ERRORS * trial.clientRequests().size()));
    assertThat(events(trial, EventKinds.FAULT_PAUSE))
        .extracting(Event::node)
        .containsExactly("database1");
    assertThat(events(trial, EventKinds.FAULT_GC_PRESSURE))
        .extracting(Event::node)
        .containsExactly("app2");
    assertThat(events(trial, EventKinds.GC_PAUSE)).extracting(Event::node).contains("app2");
    assertThat(events(trial, "backend-down"))
        .anySatisfy(event -> assertThat(event.attributes()).containsEntry("backend", "app1"));
    for (String node : List.of("web1", "app1", "app2", "database1", "machine", "clients")) {
      assertThat(trial.samples())
          .filteredOn(sample -> sample.node().equals(node))
          .extracting(Sample::resource)
          .contains("cpu-utilisation", "memory-bytes");
    }
    for (String server : List.of("web1", "app1", "app2", "database1")) {
      assertThat(trial.samples())
          .filteredOn(sample -> sample.node().equals(server))
          .extracting(Sample::resource)
          .contains("accept-queue-share", "accept-queue-drops-per-second");
    }
    assertThat(checks(trial)).doesNotContain("servers-alive", "faults-happened");
    assertThat(trial.captures()).hasSize(packets ? 1 : 0);
    assertThat(trial.captures())
        .allSatisfy(file -> assertThat(file.packets()).isGreaterThan(1_000));
    assertThat(directory.resolve("out").resolve(Trial.FILE)).content().contains("terrace-trial/1");
    assertNothingRuns();
  }

  @Test
  @Tag("long")
  void apacheServesAsWebServerWhereItIsInstalled() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/apache2")),
        "Apache's httpd is not installed (Debian: apache2-bin)");

    Trial trial = run("apache", false, new Recorder());

    // httpd does not repeat what was in flight on a killed server: each user may lose one page.
    assertErrorsAtMost(trial, USERS);
    assertThat(trial.samples()).anyMatch(sample -> sample.node().equals("web1"));
    assertNothingRuns();
  }

  private Trial run(String web, boolean packets, TrialListener listener)
      throws InterruptedException {
    String text =
        SPECIFICATION
            .replace("USERS", Integer.toString(USERS))
            .replace("WEB", web)
            .replace("PACKETS", Boolean.toString(packets));
    return new TrialRunner(TrialOptions.ofHome(HOME), listener)
        .run(SpecificationReader.read("small.yaml", text), text, directory.resolve("out"));
  }

  private static void assertErrorsAtMost(Trial trial, double most) {
    assertThat(lost(trial, row -> true)).isLessThanOrEqualTo(most);
  }

  /** The pages of some rows that users did not get. */
  private static double lost(Trial trial, IntPredicate rows) {
    RequestTable requests = trial.clientRequests();
    assertThat(requests.size()).isGreaterThan(50);
    return IntStream.range(0, requests.size())
        .filter(row -> requests.outcome(row) != Outcome.OK)
        .filter(rows)
        .count();
  }

  /**
   * Whether a page changes something and was asked for before a server died and answered after: a
   * proxy may not repeat it. The slower the machine, the more of them are in flight.
   */
  private static boolean isUpdateInFlight(RequestTable requests, int row, Event kill) {
    String page = requests.requestClasses().get(requests.requestClass(row));
    return UPDATES.matcher(page).matches()
        && requests.arrivalNanos(row) <= kill.startNanos() + REACHED_NANOS
        && requests.departureNanos(row) >= kill.startNanos();
  }

  private static List<Event> events(Trial trial, String kind) {
    return trial.events().stream().filter(event -> event.kind().equals(kind)).toList();
  }

  private static List<String> checks(Trial trial) {
    return trial.validity().stream()
        .filter(check -> !check.passed())
        .map(ValidityCheck::check)
        .toList();
  }

  private static void assertNothingRuns() throws IOException {
    List<String> left = new ArrayList<>();
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      for (Path process : processes.toList()) {
        if (process.getFileName().toString().matches("\\d+")) {
          String command = command(process);
          if (command.contains("127.15.") || command.contains("TERRACE_TRIAL=small-")) {
            left.add(process + " " + command);
          }
        }
      }
    }
    assertThat(left).isEmpty();
  }

  private static String command(Path process) {
    try {
      String command = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
      String environment =
          Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
      return command + environment;
    } catch (IOException e) {
      return "";
    }
  }

  /** Keeps what a listener is told. */
  private static final class Recorder implements TrialListener {
    final List<TrialPhase> phases = new ArrayList<>();
    final List<String> progress = new ArrayList<>();

    @Override
    public void phase(TrialPhase phase) {
      phases.add(phase);
    }

    @Override
    public void progress(String json) {
      progress.add(json);
    }
  }
}
