package org.terrace.distribution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.Keeper;
import org.terrace.testing.Await;

/**
 * A terrace command of the distribution in a JVM and a group of its own, as a terminal starts it.
 * Whatever it starts carries its mark, so that none of it is overlooked. Confined to one thread.
 */
final class MarkedCommand {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final int PATIENCE_SECONDS = 120;
  private static final int MACHINE_LACKS = 3;
  private static final String MARK = "TERRACE_MARKED_COMMAND";

  private final Path output;
  private final String mark;
  private final Process process;
  private final Set<Id> seen = new HashSet<>();

  /** Starts a command in a folder, into whose file {@code output} it writes. */
  MarkedCommand(Path folder, String words, RandomGenerator random) throws IOException {
    output = folder.resolve("output");
    String value = ProcessHandle.current().pid() + "-" + random.nextLong(Long.MAX_VALUE);
    mark = MARK + "=" + value;
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
            .redirectOutput(output.toFile());
    builder.environment().put(MARK, value);
    process = ChildProcess.start(builder).process();
  }

  /** A condition that can be looked at. */
  interface Condition {
    boolean holds() throws IOException;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The exit code of a command that has ended. */
  int exitValue() {
    return process.exitValue();
  }

  /** Whether it has ended because the machine lacks a right, a program or a resource. */
  boolean lacksMeans() {
    return !process.isAlive() && process.exitValue() == MACHINE_LACKS;
  }

  /** Waits until a condition holds; whether it did within two minutes. */
  static boolean await(Condition condition) throws IOException {
    try {
      return Await.until(Duration.ofSeconds(PATIENCE_SECONDS), () -> holds(condition));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean holds(Condition condition) {
    try {
      return condition.holds();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal of {@link EndingSignals}, and remembers whom it must end; whether it did. */
  boolean end(String signal) throws IOException, InterruptedException {
    seen.addAll(marked());
    process.descendants().forEach(each -> seen.add(Id.of(each.pid())));
    new ProcessBuilder("sh", "-c", signal.formatted(process.pid())).start().waitFor();
    return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Kills those of its processes whose command line has a word; whether there was one. */
  boolean killOneOf(String word) throws IOException {
    List<Id> found = marked().stream().filter(each -> each.commandLine().contains(word)).toList();
    found.forEach(Id::kill);
    return !found.isEmpty();
  }

  /** The command lines of what is left of an ended command after a while, which are killed. */
  List<String> left() throws IOException {
    await(() -> marked().isEmpty() && seen.stream().noneMatch(Id::isAlive));
    seen.addAll(marked());
    List<String> left = seen.stream().filter(Id::isAlive).map(Id::commandLine).toList();
    seen.stream().filter(Id::isAlive).forEach(Id::kill);
    return left;
  }

  /** The number of processes that inherited the command's environment, its own among them. */
  int processes() throws IOException {
    return marked().size();
  }

  /** The text that it has written; if that cannot be read, the words of the failure. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private Set<Id> marked() throws IOException {
    Set<Id> marked = new HashSet<>();
    try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path each : processes) {
        Id id = Id.of(Long.parseLong(each.getFileName().toString()));
        if (id.isAlive() && environment(each).contains(mark)) {
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
}
