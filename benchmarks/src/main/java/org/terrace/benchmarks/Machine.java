package org.terrace.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The facts of the machine a benchmark ran on, without which its figures mean nothing. Immutable.
 *
 * @param cores processors the JVM may use
 * @param memoryBytes physical memory, or the limit of the container around the JVM
 * @param cpu the processor's model, {@value #UNKNOWN} where the system does not say
 * @param kernel the operating system and its version
 * @param java the JVM and its version
 * @param commit the commit of the sources in the working directory, with {@code +changes} when the
 *     working tree differs from it; {@value #UNKNOWN} outside a repository
 */
public record Machine(
    int cores, long memoryBytes, String cpu, String kernel, String java, String commit) {
  /** Stands for a fact that the system does not reveal. */
  public static final String UNKNOWN = "unknown";

  private static final int COMMAND_SECONDS_MAX = 10;

  /** The facts of this machine. Reads {@code /proc/cpuinfo} and calls {@code git}. */
  public static Machine detect() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        system.getTotalMemorySize(),
        cpuModel(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        readCommit());
  }

  private static String cpuModel() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String readCommit() {
    String head = firstLineOf("git", "rev-parse", "--short=12", "HEAD");
    if (head.isEmpty()) {
      return UNKNOWN;
    }
    return firstLineOf("git", "status", "--porcelain").isEmpty() ? head : head + "+changes";
  }

  /** The first line a command prints; empty when it is missing, fails or prints nothing. */
  static String firstLineOf(String... command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "";
      }
      return process.exitValue() == 0 ? output.lines().findFirst().orElse("") : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
