package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The control of the clock of a machine's processors by the kernel, where there is one. Confined to
 * one thread.
 *
 * <p>Source: Linux kernel documentation, "CPU Performance Scaling" (admin-guide/pm/cpufreq).
 */
public final class HostFrequency {
  /** The governors that follow the load, the slowest to do so first. */
  private static final List<String> LAGGING =
      List.of("conservative", "ondemand", "schedutil", "powersave");

  private static final Path POLICIES = Path.of("/sys/devices/system/cpu/cpufreq");

  private final Path governor;
  private final String before;
  private final int processor;
  private final String lagging;

  private HostFrequency(Path governor, String before, int processor, String lagging) {
    this.governor = governor;
    this.before = before;
    this.processor = processor;
    this.lagging = lagging;
  }

  /** The control of the last processor's clock; empty where this machine gives none. */
  public static Optional<HostFrequency> ofThisMachine() {
    return of(POLICIES);
  }

  static Optional<HostFrequency> of(Path policies) {
    try (var folders = Files.newDirectoryStream(policies, "policy*")) {
      Path last = null;
      int processor = -1;
      for (Path policy : folders) {
        for (String word : KernelFile.words(policy.resolve("affected_cpus"))) {
          if (Integer.parseInt(word) > processor) {
            processor = Integer.parseInt(word);
            last = policy;
          }
        }
      }
      if (last == null) {
        return Optional.empty();
      }
      List<String> known = KernelFile.words(last.resolve("scaling_available_governors"));
      Optional<String> lagging = LAGGING.stream().filter(known::contains).findFirst();
      Path governor = last.resolve("scaling_governor");
      if (lagging.isEmpty() || !known.contains("performance") || !Files.isWritable(governor)) {
        return Optional.empty();
      }
      String before = Files.readString(governor).strip();
      return Optional.of(new HostFrequency(governor, before, processor, lagging.get()));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The processor whose clock it is, counted from zero. */
  public int processor() {
    return processor;
  }

  /** The governor that lets the clock follow the load. */
  public String lagging() {
    return lagging;
  }

  /** The clock at this moment as a part of the fastest; 1 where the kernel does not say. */
  public double share() {
    List<String> now = KernelFile.words(governor.resolveSibling("scaling_cur_freq"));
    List<String> most = KernelFile.words(governor.resolveSibling("cpuinfo_max_freq"));
    return now.isEmpty() || most.isEmpty()
        ? 1
        : Double.parseDouble(now.getFirst()) / Double.parseDouble(most.getFirst());
  }

  /** Lets the clock follow the load. */
  public void follow() throws IOException {
    KernelFile.write(governor, lagging + "\n");
  }

  /** Keeps the clock at its fastest. */
  public void keepFastest() throws IOException {
    KernelFile.write(governor, "performance\n");
  }

  /** Gives the clock back to the governor it had. */
  public void restore() throws IOException {
    KernelFile.write(governor, before + "\n");
  }
}
