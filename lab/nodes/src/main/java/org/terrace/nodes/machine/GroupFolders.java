package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folders of a run's control groups: named after the process that made them and the time it
 * started, so that what a killed run left behind is told from what a living one uses. Stateless.
 */
final class GroupFolders {
  private static final Pattern RUN = Pattern.compile("terrace-(\\d+)-(\\d+)(-\\d+)?");
  private static final int START_TIME_FIELD = 19;
  private static final Path PROCESSES = Path.of("/proc");

  private GroupFolders() {}

  /** The folder name of one more set of groups of this process. */
  static String runName(int number) {
    long pid = ProcessHandle.current().pid();
    return "terrace-%d-%d-%d".formatted(pid, startTicks(pid).orElse(0), number);
  }

  /** The folders under a group that dead runs have made. */
  static List<Path> ofDeadRuns(Path parent) throws IOException {
    List<Path> dead = new ArrayList<>();
    try (Stream<Path> groups = Files.list(parent)) {
      for (Path group : groups.filter(Files::isDirectory).toList()) {
        Matcher name = RUN.matcher(group.getFileName().toString());
        if (name.matches()) {
          OptionalLong start = startTicks(Long.parseLong(name.group(1)));
          if (start.isEmpty() || start.getAsLong() != Long.parseLong(name.group(2))) {
            dead.add(group);
          }
        }
      }
    }
    return dead;
  }

  /**
   * Removes a group and those below it as far as they have no processes.
   *
   * @return whether it is gone
   */
  static boolean remove(Path group) {
    try (Stream<Path> below = Files.list(group)) {
      below.filter(Files::isDirectory).forEach(GroupFolders::remove);
    } catch (IOException e) {
      return !Files.exists(group);
    }
    // The folder's files are the kernel's and go with it; a plain deletion of the folder suffices.
    return group.toFile().delete() || !Files.exists(group);
  }

  /** The processes in a group and in those below it. */
  static List<Long> processes(Path group) {
    List<Long> found = new ArrayList<>();
    try (Stream<Path> groups = Files.walk(group, 2)) {
      groups
          .filter(Files::isDirectory)
          .flatMap(each -> KernelFile.words(each.resolve(CpuController.PROCESSES)).stream())
          .forEach(pid -> found.add(Long.parseLong(pid)));
    } catch (IOException e) {
      return found;
    }
    return found;
  }

  /** When a process started, in clock ticks since boot; empty when there is none. */
  private static OptionalLong startTicks(long pid) {
    try {
      String stat = Files.readString(PROCESSES.resolve(pid + "/stat"));
      // The command name, which may hold spaces, ends at the last parenthesis.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return OptionalLong.of(Long.parseLong(fields[START_TIME_FIELD]));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
