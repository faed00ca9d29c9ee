package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.terrace.core.process.ShortCommand;

/**
 * The choice of processors on which the client and the servers of a call run.
 *
 * <p>A round trip takes about twice as long when each end has to wake an idle processor as when
 * both ends take turns on one, and the kernel chooses anew for each process: without a choice of
 * ours one subject would be measured in the one case and its peer in the other.
 */
enum Placement {
  /** The client on one processor, the servers on another. */
  APART,
  /** All on one processor. */
  TOGETHER,
  /** Wherever the kernel puts them, where they cannot be bound. */
  UNBOUND;

  private static final Path OWN_STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** The first two processors this process may use; empty if it cannot bind others to them. */
  private static final List<String> PROCESSORS = processors();

  /** The placements this machine can have. */
  static List<Placement> available() {
    return PROCESSORS.isEmpty() ? List.of(UNBOUND) : List.of(APART, TOGETHER);
  }

  /** The words that come before a server's command. */
  List<String> ofServer() {
    return switch (this) {
      case APART -> bindTo(PROCESSORS.getFirst());
      case TOGETHER -> bindTo(PROCESSORS.getLast());
      case UNBOUND -> List.of();
    };
  }

  /** The words that come before the client's command. */
  List<String> ofClient() {
    return switch (this) {
      case APART, TOGETHER -> bindTo(PROCESSORS.getLast());
      case UNBOUND -> List.of();
    };
  }

  private static List<String> bindTo(String processor) {
    return List.of("taskset", "--cpu-list", processor);
  }

  private static List<String> processors() {
    try {
      for (String line : Files.readAllLines(OWN_STATUS)) {
        if (line.startsWith(ALLOWED)) {
          List<String> two = firstTwo(line.substring(ALLOWED.length()).strip());
          return two.size() == 2 && canBind() ? two : List.of();
        }
      }
    } catch (IOException noLinux) {
      // Without that file there is no such command either.
    }
    return List.of();
  }

  /** The first two of a list as {@code 0-3,8}. */
  static List<String> firstTwo(String ranges) {
    List<String> two = new ArrayList<>();
    for (String range : ranges.split(",", -1)) {
      String[] ends = range.split("-", -1);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int cpu = Integer.parseInt(ends[0]); cpu <= last && two.size() < 2; cpu++) {
        two.add(Integer.toString(cpu));
      }
    }
    return two;
  }

  private static boolean canBind() {
    try {
      return ShortCommand.of("taskset", "--version").run().isSuccess();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
