package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The binding of processes to one processor, which what they start inherits. Stateless. */
public final class ProcessorBinding {
  private static final String ALLOWED = "Cpus_allowed_list:";

  private ProcessorBinding() {}

  /** The command that is bound and then becomes another, with the same process number. */
  public static List<String> command(int processor, List<String> command) {
    List<String> bound = new ArrayList<>(List.of("taskset", "-c", Integer.toString(processor)));
    bound.addAll(command);
    return bound;
  }

  /** The processors that a thread of a process may use, where they are not that one alone. */
  public static Optional<String> others(int processor, long process) {
    Path tasks = Path.of("/proc", Long.toString(process), "task");
    try (var threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        for (String line : Files.readAllLines(thread.resolve("status"))) {
          String allowed = line.startsWith(ALLOWED) ? line.substring(ALLOWED.length()).strip() : "";
          if (!allowed.isEmpty() && !allowed.equals(Integer.toString(processor))) {
            return Optional.of(allowed);
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return Optional.empty(); // one that has ended uses none
    }
    return Optional.empty();
  }
}
