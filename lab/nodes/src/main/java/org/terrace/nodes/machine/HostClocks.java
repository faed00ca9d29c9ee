package org.terrace.nodes.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The clocks of a machine's processors and who has changed them, over all runs on it. Immutable.
 *
 * @param policies the kernel's folder with a folder for each governor
 * @param notes the folder in which runs note what they have changed
 */
public record HostClocks(Path policies, Path notes) {
  private static final Path KERNEL = Path.of("/sys/devices/system/cpu/cpufreq");

  /** The clocks of this machine. */
  public static HostClocks ofThisMachine() {
    return new HostClocks(KERNEL, Path.of(System.getProperty("java.io.tmpdir")));
  }

  /**
   * The control of the last processor's clock; empty where this machine gives none.
   *
   * @param noted told of the note by which a keeper gives the clock back when this process dies,
   *     before it is changed
   */
  public Optional<HostFrequency> control(Consumer<Path> noted) {
    return HostFrequency.of(policies, new GovernorNotes(notes, policies), noted);
  }

  /**
   * Gives back the governors that runs have changed that were killed, as far as this user may.
   *
   * @return a sentence for each; usually none
   */
  public List<String> giveBackLeft() {
    return new GovernorNotes(notes, policies).giveBackLeft();
  }
}
