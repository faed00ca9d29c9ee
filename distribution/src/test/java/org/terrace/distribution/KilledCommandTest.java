package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.Keeper;
import org.terrace.testing.Seeds;

/**
 * Commands that start many processes, interrupted or killed at a random moment, alone or with their
 * whole group: nothing of them is left. {@code -Dterrace.kills=N} does so more often.
 */
@Tag("real-processes")
@Tag("untimed")
class KilledCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Path HOME = ROOT.resolve("distribution/target/terrace");
  private static final int KILLS = Integer.getInteger("terrace.kills", 1);
  private static final int PATIENCE_SECONDS = 60;
  private static final long LATEST_KILL_NANOS = 4_000_000_000L;
  private static final String MARK = "TERRACE_KILLED_COMMAND_TEST";
  private static final List<String> SIGNALS =
      List.of("kill -INT %d", "kill -INT -%d", "kill -KILL %d", "kill -KILL -%d");
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: killed
      topology: 1/2/0/1
      load: {closed: {users: 50, think: exp(1s)}, mix: read-write}
      phases: {rampUp: 10s, run: 40s, rampDown: 3s}
      """;

  @TempDir private Path folder;

  private String mark;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench invocation --quick",
        "bench collections --quick",
        "prove invocation --kills 1000",
        "run killed.yaml",
        "board --scale 0.001 --network 127.22"
      })
  void nothingIsLeft(String command) throws Exception {
    Files.writeString(folder.resolve("killed.yaml"), SPECIFICATION);
    RandomGenerator random = Seeds.generator(Seeds.next("KilledCommandTest"));
    int first = random.nextInt(SIGNALS.size());
    for (int i = 0; i < KILLS; i++) {
      String signal = SIGNALS.get((first + i) % SIGNALS.size());
      mark = MARK + "=" + ProcessHandle.current().pid() + "-" + random.nextLong(Long.MAX_VALUE);
      Process terrace = start(command);
      await(() -> marked().size() >= 3 || !terrace.isAlive());
      assertThat(terrace.isAlive()).as(() -> output()).isTrue();
      LockSupport.parkNanos(random.nextLong(LATEST_KILL_NANOS));
      Set<Id> seen = new HashSet<>(marked());
      terrace.descendants().forEach(process -> seen.add(Id.of(process.pid())));
      new ProcessBuilder("sh", "-c", signal.formatted(terrace.pid())).start().waitFor();
      assertThat(terrace.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      boolean allEnded = await(() -> marked().isEmpty() && seen.stream().noneMatch(Id::isAlive));
      seen.addAll(marked());
      List<String> left = seen.stream().filter(Id::isAlive).map(Id::commandLine).toList();
      seen.stream().filter(Id::isAlive).forEach(Id::kill);
      assertThat(left).as("after %s of %s", signal, command).isEmpty();
      assertThat(allEnded).isTrue();
    }
  }

  /** The identity of a process, which no later process of the same number has. */
  private record Id(long pid, long startTicks) {
    static Id of(long pid) {
      return new Id(pid, Keeper.startTicks(pid));
    }

    boolean isAlive() {
      return startTicks != 0 && Keeper.startTicks(pid) == startTicks && !commandLine().isEmpty();
    }

    String commandLine() {
      try {
        return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1)
            .replace('\0', ' ');
      } catch (IOException e) {
        return "";
      }
    }

    void kill() {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static boolean await(Condition condition) throws IOException {
    for (int i = 0; i < PATIENCE_SECONDS * 10; i++) {
      if (condition.holds()) {
        return true;
      }
      LockSupport.parkNanos(100_000_000);
    }
    return false;
  }

  /** The processes that inherited the command's environment. */
  private Set<Id> marked() throws IOException {
    Set<Id> marked = new HashSet<>();
    try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        Id id = Id.of(Long.parseLong(process.getFileName().toString()));
        if (id.isAlive() && environment(process).contains(mark)) {
          marked.add(id);
        }
      }
    }
    return marked;
  }

  private static String environment(Path process) {
    try {
      return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Starts a command as the leader of a group of its own, as a terminal does. */
  private Process start(String words) throws IOException {
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dterrace.home=" + HOME,
            "-cp",
            HOME.resolve("lib") + "/*",
            "org.terrace.cli.Terrace"));
    command.addAll(List.of(words.split(" ", -1)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    builder.environment().put(MARK, mark.substring(mark.indexOf('=') + 1));
    return ChildProcess.start(builder).process();
  }
}
