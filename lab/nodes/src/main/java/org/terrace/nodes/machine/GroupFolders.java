package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.terrace.core.process.ProcessStat;

/**
 * The folders of a run's control groups: named after the process that made them and the time it
 * started, so that what a killed run left behind is told from what a living one uses. Stateless.
 */
final class GroupFolders {
  private static final Pattern RUN = Pattern.compile("terrace-(\\d+)-(\\d+)(-\\d+)?");

  private GroupFolders() {}

  /** The folder name of one more set of groups of this process. */
  static String runName(int number) {
    long pid = ProcessHandle.current().pid();
    return "terrace-%d-%d-%d"
        .formatted(pid, ProcessStat.of(pid).map(ProcessStat::startTicks).orElse(0L), number);
  }

  /** The folders under a group that dead runs have made. */
  static List<Path> ofDeadRuns(Path parent) throws IOException {
    List<Path> dead = new ArrayList<>();
    try (Stream<Path> groups = Files.list(parent)) {
      for (Path group : groups.filter(Files::isDirectory).toList()) {
        Matcher name = RUN.matcher(group.getFileName().toString());
        if (name.matches()) {
          Optional<ProcessStat> owner = ProcessStat.of(Long.parseLong(name.group(1)));
          if (owner.isEmpty() || owner.get().startTicks() != Long.parseLong(name.group(2))) {
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
}
