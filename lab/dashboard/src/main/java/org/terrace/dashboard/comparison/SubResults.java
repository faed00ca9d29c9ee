package org.terrace.dashboard.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.terrace.report.PendingResult;

/**
 * The directories and files within a directory of results, each once: no link to another of them,
 * as a pipeline keeps for the newest, and no version of a result that a killed command was
 * replacing. Stateless.
 */
public final class SubResults {
  private SubResults() {}

  /**
   * The directories and files within one, in no order.
   *
   * @throws IOException if it cannot be read
   */
  public static List<Path> of(Path directory) throws IOException {
    try (Stream<Path> listed = Files.list(directory)) {
      List<Path> children =
          listed
              .filter(child -> !PendingResult.isLeftover(String.valueOf(child.getFileName())))
              // Those that are no links come first, and stand for themselves.
              .sorted((one, other) ->
                  Boolean.compare(Files.isSymbolicLink(one), Files.isSymbolicLink(other)))
              .toList();
      Set<Path> places = new HashSet<>();
      return children.stream().filter(child -> places.add(place(child))).toList();
    }
  }

  /** The place where something lies, whatever links lead to it. */
  static Path place(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }
}
