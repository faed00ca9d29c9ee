package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The facts of the machine on which a figure was measured, which stand beside every result.
 * Immutable.
 *
 * @param cores processors this JVM may use
 * @param memoryBytes memory of the machine, or of the container where that is less; 0 where unknown
 * @param cpu the processor's model
 * @param kernel name and version of the operating system
 * @param java version and vendor of the JVM
 * @param commit the project's commit, with {@code +} when files were changed since; empty outside a
 *     clone
 */
public record MachineFacts(
    int cores, long memoryBytes, String cpu, String kernel, String java, Optional<String> commit) {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final Path MEMORY_INFO = Path.of("/proc/meminfo");
  private static final long BYTES_A_KIBIBYTE = 1024;
  private static final long GIT_SECONDS = 5;

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
            .filter(changes -> !changes.isEmpty())
            .map(changes -> id + "+")
            .orElse(id));
  }

  private static Optional<String> git(String folder, String... arguments) {
    ProcessBuilder builder = new ProcessBuilder("git", "-C", folder);
    builder.command().addAll(List.of(arguments));
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process process = builder.start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean ended = process.waitFor(GIT_SECONDS, TimeUnit.SECONDS);
      process.destroy();
      return ended && process.exitValue() == 0 ? Optional.of(output) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
