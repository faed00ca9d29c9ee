package org.terrace.core.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;

/**
 * The descendants of a process, as /proc tells them. PostgreSQL puts each of its children in a
 * session of its own, so that neither session nor process group tells who belongs to it: only
 * parenthood does. Stateless and thread-safe.
 */
public final class ProcessTree {
  private static final Path PROC = Path.of("/proc");

  private ProcessTree() {}

  /**
   * A process and all its descendants that are there now, itself first. Costs a read for each
   * thread of each of them where the kernel lists children, else one for each process of the
   * machine.
   */
  public static List<Long> members(long root) {
    return Files.exists(PROC.resolve("self/task/" + ProcessHandle.current().pid() + "/children"))
        ? byChildren(root)
        : byParents(root);
  }

  private static List<Long> byChildren(long root) {
    Set<Long> members = new LinkedHashSet<>();
    Deque<Long> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      long pid = open.removeFirst();
      if (members.add(pid)) {
        open.addAll(children(pid));
      }
    }
    return List.copyOf(members);
  }

  private static List<Long> children(long pid) {
    List<Long> children = new ArrayList<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(PROC.resolve(pid + "/task"))) {
      for (Path task : tasks) {
        StringTokenizer numbers = new StringTokenizer(childrenOfThread(task));
        while (numbers.hasMoreTokens()) {
          children.add(Long.parseLong(numbers.nextToken()));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return children; // the process ended while it was read
    }
    return children;
  }

  /** The children of a thread; none of one that has ended, of which the process has others. */
  private static String childrenOfThread(Path task) {
    try {
      return Files.readString(task.resolve("children"));
    } catch (IOException e) {
      return "";
    }
  }

  private static List<Long> byParents(long root) {
    Map<Long, List<Long>> children = new HashMap<>();
    for (long pid : allProcesses()) {
      ProcessStat.of(pid)
          .ifPresent(
              stat -> children.computeIfAbsent(stat.parent(), p -> new ArrayList<>()).add(pid));
    }
    List<Long> members = new ArrayList<>(List.of(root));
    for (int index = 0; index < members.size(); index++) {
      members.addAll(children.getOrDefault(members.get(index), List.of()));
    }
    return members;
  }

  /** The numbers of all processes of the machine. */
  public static List<Long> allProcesses() {
    List<Long> pids = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      entries.forEach(entry -> pids.add(Long.parseLong(entry.getFileName().toString())));
    } catch (IOException e) {
      throw new UncheckedIOException("/proc cannot be read; Terrace needs it on Linux", e);
    }
    return pids;
  }
}
