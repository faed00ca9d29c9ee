package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The control of the clock of a machine's processors by the kernel, where there is one. What it
 * changes is noted on disk first, so that it can be given back when this process has been killed.
 * Confined to one thread.
 *
 * <p>Source: Linux kernel documentation, "CPU Performance Scaling" (admin-guide/pm/cpufreq).
 */
public final class HostFrequency {
  /** The governors that follow the load, the slowest to do so first. */
  private static final List<String> LAGGING =
      List.of("conservative", "ondemand", "schedutil", "powersave");

  private final Path governor;
  private final int processor;
  private final String lagging;
  private final GovernorNotes notes;
  private final Consumer<Path> noted;
  private @Nullable Path note;

  private HostFrequency(
      Path governor, int processor, String lagging, GovernorNotes notes, Consumer<Path> noted) {
    this.governor = governor;
    this.processor = processor;
    this.lagging = lagging;
    this.notes = notes;
    this.noted = noted;
  }

  static Optional<HostFrequency> of(Path policies, GovernorNotes notes, Consumer<Path> noted) {
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
      return Optional.of(new HostFrequency(governor, processor, lagging.get(), notes, noted));
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
    change(lagging);
  }

  /** Keeps the clock at its fastest. */
  public void keepFastest() throws IOException {
    change("performance");
  }

  private void change(String wanted) throws IOException {
    Path own = note;
    if (own == null) {
      own = notes.newFile();
      note = own;
      notes.write(own, governor, wanted);
      noted.accept(own);
    } else {
      notes.write(own, governor, wanted);
    }
    KernelFile.write(governor, wanted + "\n");
  }

  /**
   * Gives the clock back to the governor that the youngest run which is still there wants, and when
   * there is none to the one it had before all of them. Nothing is done if it was not changed.
   */
  public void restore() throws IOException {
    Path own = note;
    note = null;
    if (own != null) {
      notes.giveBack(own);
    }
  }
}
