package org.terrace.mesh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.terrace.core.TerraceException;
import org.terrace.experiment.ResultFolder;

/**
 * The failed attempts at a trial: a folder for each by its number, with its logs and its reason,
 * beside that of the trial while it is tried again, and within it in the end. Each step leaves,
 * also when it is the last of a killed command, all of them where the next command finds them.
 * Stateless.
 */
final class FailedAttempts {
  /** The name of the file that says why an attempt failed, written once its folder is whole. */
  static final String REASON = "reason.txt";

  private static final String ATTEMPT = "attempt-";
  private static final Pattern NUMBERED = Pattern.compile(ATTEMPT + "(\\d{1,9})");

  private FailedAttempts() {}

  /** Writes why an attempt failed into its folder, without its captures and tables. */
  static void write(Path folder, String reason) throws IOException {
    KeptFiles.dropCaptures(folder);
    KeptFiles.dropTables(folder);
    forceAll(folder);
    ResultFolder.write(folder.resolve(REASON), reason);
  }

  /** The reason in the folder of a failed attempt; empty if it is no such or not whole. */
  static Optional<String> reason(Path folder) {
    try {
      return Optional.of(Files.readString(folder.resolve(REASON)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The reasons of the attempts beside a trial's folder, in their order. */
  static List<String> reasons(Path trial) throws IOException {
    List<String> reasons = new ArrayList<>();
    for (Path folder : beside(trial).values()) {
      reason(folder).ifPresent(reasons::add);
    }
    return reasons;
  }

  /**
   * Moves the folder of a failed attempt, which has its reason, beside that of its trial.
   *
   * @param before the attempts of earlier rounds, which are not beside it
   */
  static void setAside(Path folder, Path trial, int before) throws IOException {
    SortedMap<Integer, Path> beside = beside(trial);
    int number = 1 + Math.max(before, beside.isEmpty() ? 0 : beside.lastKey());
    Path aside = trial.resolveSibling(trial.getFileName() + "." + ATTEMPT + number);
    Files.move(folder, aside, StandardCopyOption.ATOMIC_MOVE);
    ResultFolder.force(trial.resolveSibling("."));
  }

  /**
   * Gathers the attempts beside a trial's folder, and those of the one that it takes the place of,
   * in the new one. Its last attempt, which that one itself is, is the last step.
   */
  static void gather(Path folder, Path trial) throws IOException {
    move(beside(trial), folder);
    Optional<TrialRow> before = before(trial);
    if (before.isPresent() && !before.get().trial().isDone()) {
      move(numbered(trial, ""), folder);
      KeptFiles.dropCaptures(trial);
      KeptFiles.dropTables(trial);
      move(trial, folder, Math.max(1, before.get().reasons().size()));
    }
    ResultFolder.force(folder);
  }

  /** The row of an earlier round in a trial's folder; empty if there is none that can be read. */
  static Optional<TrialRow> before(Path trial) {
    try {
      return Files.exists(trial.resolve(MeshFile.ROW))
          ? Optional.of(MeshFile.readRow(trial))
          : Optional.empty();
    } catch (TerraceException _) {
      return Optional.empty();
    }
  }

  private static void move(SortedMap<Integer, Path> attempts, Path folder) throws IOException {
    for (Map.Entry<Integer, Path> each : attempts.entrySet()) {
      move(each.getValue(), folder, each.getKey());
    }
  }

  /** Moves an attempt into a folder, with the next number if another one has its own. */
  private static void move(Path attempt, Path folder, int number) throws IOException {
    int free = number;
    while (Files.exists(folder.resolve(ATTEMPT + free))) {
      free++;
    }
    Files.move(attempt, folder.resolve(ATTEMPT + free), StandardCopyOption.ATOMIC_MOVE);
  }

  private static SortedMap<Integer, Path> beside(Path trial) throws IOException {
    return numbered(trial.resolveSibling("."), trial.getFileName() + ".");
  }

  /** The folders of attempts in a place, by their numbers. */
  private static SortedMap<Integer, Path> numbered(Path place, String prefix) throws IOException {
    SortedMap<Integer, Path> numbered = new TreeMap<>();
    try (Stream<Path> entries = Files.list(place.normalize())) {
      for (Path entry : entries.toList()) {
        String name = entry.getFileName().toString();
        if (name.startsWith(prefix)) {
          Matcher matcher = NUMBERED.matcher(name.substring(prefix.length()));
          if (matcher.matches()) {
            numbered.put(Integer.parseInt(matcher.group(1)), entry);
          }
        }
      }
    }
    return numbered;
  }

  /** Forces all that is in a folder onto the disk. */
  static void forceAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        ResultFolder.force(file);
      }
    }
  }
}
