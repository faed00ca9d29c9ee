package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.SharedServers;
import org.terrace.experiment.SharedTurn;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.ValidityCheck;
import org.terrace.nodes.machine.DiskLimit;
import org.terrace.nodes.machine.MemoryLimits;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.specification.SpecificationReader;

/** Trials one after another on the same real servers: each sees itself alone. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(300)
class SharedServersTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final String NETWORK = "127.38";

  /** Users who come at random, of whom one page in eight writes. */
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: sharing
      topology: 1/1/1/2
      load: {closed: {users: 12, think: exp(100ms)}, mix: read-write}
      phases: {rampUp: 500ms, run: 3s, rampDown: 200ms}
      observe: {packets: false, sample: 500ms}
      data: {scale: 0.001, seed: 1}
      network: 127.38
      """;

  /** Whether the databases have limits of memory and storage here. */
  private static final boolean LIMITED =
      MemoryLimits.refusal().isEmpty() && DiskLimit.refusal().isEmpty();

  @TempDir private Path folder;

  @BeforeAll
  static void requireDistribution() {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  private static Experiment experiment(int users) {
    return read(SPECIFICATION.replace("users: 12", "users: " + users));
  }

  private static Experiment read(String text) {
    boolean limited = text.contains("limits:") || !LIMITED;
    String limits = limited ? "" : "limits: {database: {memory: 1g, disk: 8m}}\n";
    return SpecificationReader.read("sharing.yaml", text + limits);
  }

  private SharedServers servers(String name) throws Exception {
    return new SharedServers(
        experiment(12), TrialOptions.ofHome(HOME), Files.createDirectories(folder.resolve(name)));
  }

  private Trial run(SharedServers servers, int users, String name) throws InterruptedException {
    return servers.run(
        experiment(users), SPECIFICATION, folder.resolve(name), TrialListener.SILENT);
  }

  @Test
  @Tag("long")
  void eachTrialHasItsOwnObservationsAndTheDataOfThoseBefore() throws Exception {
    Trial first;
    Trial second = null;
    int attempt = 0;
    do {
      attempt++;
      try (SharedServers servers = servers("servers" + attempt)) {
        first = run(servers, 12, "first" + attempt);
        assertThat(servers.serve(experiment(6))).isEqualTo(isValid(first));
        if (isValid(first)) {
          second = run(servers, 6, "second" + attempt);
        }
      }
    } while (second == null && attempt < 4);
    Assumptions.assumeTrue(second != null, "the machine lets no trial be valid");

    SharedTurn before = first.turn().orElseThrow();
    SharedTurn after = second.turn().orElseThrow();
    assertThat(before.number()).isEqualTo(1);
    assertThat(before.rowsBefore()).isEqualTo(before.rowsAtStart()).isPositive();
    assertThat(before.rowsWritten()).as("one page in eight writes").isPositive();
    assertThat(after.number()).isEqualTo(2);
    assertThat(after.rowsBefore()).isEqualTo(before.rowsBefore() + before.rowsWritten());
    assertOwn(first, second);
    assertThat(second.samples()).extracting(Sample::node).contains("web1", "app1", "database2");
    if (LIMITED) {
      assertLimitsAreRead(first);
      assertLimitsAreRead(second);
    }
    assertThat(folder.resolve("second" + attempt + "/trial.json"))
        .content()
        .contains("\"turn\" : 2")
        .contains("\"rowsWritten\"");
    assertLogs(attempt);
    assertNothingIsLeft();
  }

  private static void assertLimitsAreRead(Trial trial) {
    for (String database : List.of("database1", "database2")) {
      assertThat(trial.samples())
          .filteredOn(sample -> sample.node().equals(database))
          .extracting(Sample::resource)
          .contains(Resources.MEMORY_UTILISATION, Resources.DISK_UTILISATION);
    }
  }

  private static boolean isValid(Trial trial) {
    return trial.validity().stream().allMatch(ValidityCheck::passed);
  }

  /** Nothing of the second trial is older than the end of the load of the first. */
  private static void assertOwn(Trial first, Trial second) {
    long end = end(first.clientRequests());
    assertThat(second.events()).isNotEmpty();
    assertThat(second.events()).extracting(Event::startNanos).allMatch(start -> start >= end);
    assertThat(second.samples()).extracting(Sample::timeNanos).allMatch(time -> time >= end);
    RequestTable requests = second.clientRequests();
    for (int row = 0; row < requests.size(); row++) {
      assertThat(requests.arrivalNanos(row)).isGreaterThan(end);
    }
  }

  private static long end(RequestTable requests) {
    long end = 0;
    for (int row = 0; row < requests.size(); row++) {
      end = Math.max(end, requests.arrivalNanos(row));
    }
    return end;
  }

  /** The start of the servers is in the logs of the first trial alone. */
  private void assertLogs(int attempt) throws Exception {
    assertThat(folder.resolve("first" + attempt + "/logs/app1.log")).content().contains("ready");
    Path later = folder.resolve("second" + attempt + "/logs/app1.log");
    if (Files.exists(later)) {
      assertThat(later).content().doesNotContain("ready");
    }
    assertThat(folder.resolve("second" + attempt + "/logs/load.log")).exists();
  }

  @Test
  @Tag("long")
  void aDeadServerServesNoFurtherTrial() throws Exception {
    try (SharedServers servers = servers("servers")) {
      Trial first = run(servers, 4, "first");
      Assumptions.assumeTrue(isValid(first), "the machine lets the trial not be valid");
      List<ProcessHandle> boards = processes("BoardServer");
      assertThat(boards).isNotEmpty();
      for (ProcessHandle board : boards) {
        board.destroyForcibly();
        board.onExit().join();
      }
      assertThat(servers.serve(experiment(4))).isFalse();
    }
    assertNothingIsLeft();
  }

  @Test
  void onlyTheLoadMayDiffer() throws Exception {
    try (SharedServers servers = servers("servers")) {
      assertThat(servers.serve(experiment(1))).isTrue();
      for (String other :
          List.of(
              SPECIFICATION.replace("1/1/1/2", "1/2/1/2"),
              SPECIFICATION.replace("scale: 0.001", "scale: 0.002"),
              SPECIFICATION + "replication: wait-first\n",
              SPECIFICATION + "limits: {app: {cpu: 0.5}}\n",
              SPECIFICATION + "seed: 2\n",
              SPECIFICATION + "faults: [{pause: app1, at: 1s, for: 1s}]\n",
              SPECIFICATION.replace("packets: false", "packets: true"),
              SPECIFICATION.replace("packets: false", "packets: false, sessions: 1"))) {
        assertThat(servers.serve(read(other))).as(other).isFalse();
      }
      assertThat(servers.serve(read(SPECIFICATION.replace("read-write", "browse-only")))).isTrue();
    }
  }

  private static void assertNothingIsLeft() {
    assertThat(processes("")).isEmpty();
  }

  /** The processes of the test's servers whose command has a word. */
  private static List<ProcessHandle> processes(String word) {
    List<ProcessHandle> found = new ArrayList<>();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      all.filter(each -> each.pid() != ProcessHandle.current().pid())
          .filter(each ->
              each.info()
                  .commandLine()
                  .filter(line -> line.contains(NETWORK + ".") && line.contains(word))
                  .isPresent())
          .forEach(found::add);
    }
    return found;
  }
}
