package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.FileTree;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Server;
import org.terrace.report.FindingsFile;
import org.terrace.testing.Seeds;

/**
 * Runs that are interrupted or killed at random moments: the result directory is whole or absent,
 * an earlier result is there until a whole one has replaced it, and no process is left. {@code
 * -Dterrace.interrupts=N} does so more often.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(1800)
@Tag("long")
class InterruptedRunTest {
  private static final int INTERRUPTS = Integer.getInteger("terrace.interrupts", 2);
  private static final String EARLIER = "the earlier result";

  /**
   * The beginnings of sentences that name something else than the interrupt as what ended a run.
   */
  private static final String[] BLAME = {"terrace: ", "exit status", "exit code", "Exception"};

  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: smallest
      topology: 0/1/0/1
      load: {closed: {users: 5, think: exp(200ms)}, mix: browse-only}
      phases: {rampUp: 100ms, run: 1s, rampDown: 100ms}
      observe: {packets: false, sample: 1s}
      data: {scale: 0.001, seed: 1}
      network: 127.26
      """;

  /** The files that a run without packets leaves, but for the logs of its servers. */
  private static final List<String> WHOLE =
      List.of(
          "connections.parquet",
          "events.parquet",
          "facts.json",
          "findings.json",
          "report.html",
          "requests.parquet",
          "samples.parquet",
          "servers.parquet",
          "specification.yaml");

  @TempDir private Path folder;

  /**
   * A point in a run's way, which a slow machine reaches later and no less surely.
   *
   * @param sign the file by which it is known, in the folder; empty for the start of the process
   * @param spreadNanos the longest time from there to the signal
   */
  private record Milestone(String sign, long spreadNanos) {
    private static final List<Milestone> ALL =
        List.of(
            new Milestone("", 500_000_000),
            new Milestone("out.unfinished/specification.yaml", 4_000_000_000L),
            new Milestone("out.unfinished/servers.parquet", 500_000_000),
            new Milestone("out.unfinished/facts.json", 200_000_000),
            new Milestone("out.unfinished/report.html", 20_000_000));
  }

  @Test
  void theResultIsWholeOrAbsent() throws Exception {
    Path home = SourceTree.root().resolve("distribution/target/terrace");
    Assumptions.assumeTrue(
        Files.isDirectory(home.resolve("apps/board")) && Files.isDirectory(home.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    Files.writeString(folder.resolve("smallest.yaml"), SPECIFICATION);
    RandomGenerator random = Seeds.generator(Seeds.next("InterruptedRunTest"));
    List<Milestone> milestones = new ArrayList<>();
    int first = random.nextInt(EndingSignals.ALL.size());
    for (int i = 0; i < INTERRUPTS; i++) {
      if (milestones.isEmpty()) {
        milestones.addAll(Milestone.ALL);
        Collections.shuffle(milestones, new Random(random.nextLong()));
      }
      String signal = EndingSignals.ALL.get((first + i) % EndingSignals.ALL.size());
      interrupt(milestones.removeLast(), signal, random);
    }
  }

  private void interrupt(Milestone milestone, String signal, RandomGenerator random)
      throws Exception {
    boolean replacing = random.nextBoolean();
    clear();
    if (replacing) {
      Path earlier = Files.createDirectory(folder.resolve("out"));
      Files.writeString(earlier.resolve(FindingsFile.NAME), EARLIER);
    }
    MarkedCommand command =
        new MarkedCommand(
            folder, "run smallest.yaml --out out" + (replacing ? " --replace" : ""), random);
    Path sign = folder.resolve(milestone.sign());
    boolean reached = MarkedCommand.await(() -> Files.exists(sign) || !command.isAlive());
    LockSupport.parkNanos(random.nextLong(milestone.spreadNanos()));

    boolean ended = command.end(signal);
    List<String> left = command.left();

    String what = "%s after %s: %s".formatted(signal, milestone, command.output());
    assertThat(reached).as(what).isTrue();
    assertThat(ended).as(what).isTrue();
    assertThat(left).as(what).isEmpty();
    if (signal.contains("-INT")) {
      assertThat(command.output()).as(what).doesNotContain(BLAME);
    }
    Path out = folder.resolve("out");
    if (Files.exists(out)) {
      assertThat((replacing && isEarlier(out)) || isWhole(out)).as(what).isTrue();
    } else if (replacing) {
      assertThat(isEarlier(folder.resolve("out.replaced"))).as(what).isTrue();
      assertThat(isWhole(folder.resolve("out.replacing"))).as(what).isTrue();
    }
  }

  /** Whether a directory is the earlier result, with nothing of the new one. */
  private static boolean isEarlier(Path directory) throws IOException {
    Path findings = directory.resolve(FindingsFile.NAME);
    String[] names = directory.toFile().list();
    return names != null && names.length == 1 && Files.readString(findings).equals(EARLIER);
  }

  /** Whether a directory is the new result, with all its files, which can be read. */
  private static boolean isWhole(Path directory) throws IOException {
    for (String name : WHOLE) {
      if (!Files.isRegularFile(directory.resolve(name))) {
        return false;
      }
    }
    assertThat(FindingsFile.read(directory.resolve(FindingsFile.NAME)).servers()).hasSize(2);
    assertThat(ObservationFiles.read(directory).servers())
        .extracting(Server::name)
        .containsExactly("clients", "app1", "database1");
    assertThat(Files.readString(directory.resolve("report.html"))).endsWith("</html>\n");
    return true;
  }

  private void clear() throws IOException {
    for (String suffix : List.of("", ".unfinished", ".replacing", ".replaced")) {
      FileTree.delete(folder.resolve("out" + suffix));
    }
  }
}
