package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.terrace.core.process.ShortCommand;

/**
 * The facts of the machine on which a figure was measured, which stand beside every result.
 * Immutable.
 *
 * @param cores processors this JVM may use
 * @param memoryBytes memory of the machine, or of the container where that is less; 0 where unknown
 * @param cpu the processor's model
 * @param kernel name and version of the operating system
 * @param java version and vendor of the JVM
 * @param commit the project's commit, with {@code +} when files were changed since and {@code ?}
 *     where that cannot be told; empty outside a clone
 */
public record MachineFacts(
    int cores, long memoryBytes, String cpu, String kernel, String java, Optional<String> commit) {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final Path MEMORY_INFO = Path.of("/proc/meminfo");
  private static final long BYTES_A_KIBIBYTE = 1024;
  private static final Duration GIT_WITHIN = Duration.ofSeconds(5);

  /** The facts of this machine; runs {@code git} where there is a clone, some ten milliseconds. */
  public static MachineFacts ofThisMachine() {
    return new MachineFacts(
        Runtime.getRuntime().availableProcessors(),
        memory(),
        value(CPU_INFO, "model name").orElse(System.getProperty("os.arch", "unknown")),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.version") + " " + System.getProperty("java.vendor"),
        currentCommit());
  }

  /** Memory of the machine in bytes, 0 where unknown. */
  private static long memory() {
    return value(MEMORY_INFO, "MemTotal")
        .map(text -> Long.parseLong(text.replace("kB", "").strip()) * BYTES_A_KIBIBYTE)
        .orElse(0L);
  }

  /** Memory that can be used without swapping, in bytes, 0 where unknown. */
  static long availableMemory() {
    return value(MEMORY_INFO, "MemAvailable")
        .map(text -> Long.parseLong(text.replace("kB", "").strip()) * BYTES_A_KIBIBYTE)
        .orElse(0L);
  }

  private static Optional<String> value(Path file, String name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The commit of the clone that the distribution lies in, or of the working folder. */
  private static Optional<String> currentCommit() {
    String home = System.getProperty("terrace.home", System.getProperty("terrace.root", "."));
    Optional<String> commit = git(home, "rev-parse", "--short=12", "HEAD");
    return commit.map(id ->
        git(home, "status", "--porcelain", "--untracked-files=no")
            .map(changes -> changes.isEmpty() ? id : id + "+")
            .orElse(id + "?"));
  }

  private static Optional<String> git(String folder, String... arguments) {
    // Killed for its time, one that took the lock of the index would leave it to its user.
    List<String> command = new ArrayList<>(List.of("git", "--no-optional-locks", "-C", folder));
    command.addAll(List.of(arguments));
    try {
      return ShortCommand.of(command)
          .withWithin(GIT_WITHIN)
          .withoutErrors()
          .run()
          .successfulOutput()
          .map(String::strip);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
