package org.terrace.fleet;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.core.FileTree;

/**
 * The folders of one trial in all tables, while it is written: where they are written, where they
 * belong, and where those of an older trial of the name are set aside. The first and the last are
 * one level deeper than readers look, below names that they pass over.
 *
 * <p>A trial is there while its row of {@value FleetReader#TRIALS} is, which is the first to be set
 * aside and the last to come. So a writer that is ended at any moment leaves the older trial, or
 * neither and all that {@link #restore} needs to bring it back, or the newer. Confined to whoever
 * has the {@link TrialLock}.
 */
final class TrialFolders {
  /** Below each table, the trials that are being written. */
  static final String UNFINISHED = ".unfinished";

  /** Below each table, the trials that are being replaced. */
  static final String REPLACED = ".replaced";

  /** The tables, that of the trials last. */
  private static final List<String> TABLES =
      List.of(
          FleetReader.SERVERS,
          FleetReader.EVENTS,
          FleetReader.SAMPLES,
          FleetReader.CONNECTIONS,
          FleetReader.FILES,
          FleetReader.REQUESTS,
          FleetReader.TRIALS);

  private final Path fleet;
  private final String trial;
  private final String name;

  TrialFolders(Path fleet, String trial) {
    this.fleet = fleet;
    this.trial = trial;
    name = PartitionNames.folder("trial", trial);
  }

  /** Restores every trial whose writer was ended, as far as this process can. */
  static void restoreEnded(Path fleet) {
    for (String trial : begun(fleet)) {
      try (TrialLock lock = TrialLock.takeIfFree(fleet, trial)) {
        if (lock != null) {
          new TrialFolders(fleet, trial).restore();
        }
      } catch (IOException | InvalidPathException _) {
        // It may be another user's, and is nothing that the trial to be written needs.
      }
    }
  }

  /** The trials that are being written or replaced, or were when their writers ended. */
  private static Set<String> begun(Path fleet) {
    Set<String> trials = new TreeSet<>();
    FleetStorage storage = FleetStorage.of(fleet);
    for (String table : TABLES) {
      for (String hidden : List.of(UNFINISHED, REPLACED)) {
        try {
          storage.list(table + "/" + hidden).stream()
              .map(folder -> PartitionNames.value("trial", folder))
              .filter(Objects::nonNull)
              .forEach(trials::add);
        } catch (IOException _) {
          // As above; what keeps the trial itself from being written is told when it is.
        }
      }
    }
    return trials;
  }

  /** A step of the publication. */
  record Move(Path from, Path to) {
    void make() throws IOException {
      Files.createDirectories(to.resolve("..").normalize());
      try {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        throw new IOException(
            "its file system renames no folder at once (" + e.getMessage() + ")", e);
      }
    }
  }

  /** The folder of a table while it is written. */
  Path unfinished(String table) {
    return fleet.resolve(table).resolve(UNFINISHED).resolve(name);
  }

  private Path place(String table) {
    return fleet.resolve(table).resolve(name);
  }

  private Path replaced(String table) {
    return fleet.resolve(table).resolve(REPLACED).resolve(name);
  }

  private boolean isThere() {
    return FleetWriter.has(fleet, trial);
  }

  /**
   * Removes what a writer that was ended has left; the trial that it was about to replace is there
   * again.
   */
  void restore() throws IOException {
    for (String table : TABLES) {
      FileTree.delete(unfinished(table));
    }
    if (!isThere()) {
      boolean hadOlder = exists(replaced(FleetReader.TRIALS));
      for (String table : TABLES) {
        boolean isAside = hadOlder && exists(replaced(table));
        if (isAside || !hadOlder) {
          FileTree.delete(place(table));
        }
        if (isAside) {
          new Move(replaced(table), place(table)).make();
        }
      }
    }
    removeReplaced();
  }

  /** The renames that put what was written in the place of what is there, in their order. */
  List<Move> publication() throws IOException {
    List<Move> moves = new ArrayList<>();
    if (isThere()) {
      for (String table : TABLES.reversed()) {
        // Also where somebody removed one, so that each that is in place without another aside
        // is known to be of the older trial.
        Files.createDirectories(place(table));
        moves.add(new Move(place(table), replaced(table)));
      }
    }
    TABLES.forEach(table -> moves.add(new Move(unfinished(table), place(table))));
    return moves;
  }

  /** Removes the trial that was replaced, its row first, by which readers know that it was. */
  void removeReplaced() throws IOException {
    for (String table : TABLES.reversed()) {
      FileTree.delete(replaced(table));
    }
  }

  private static boolean exists(Path folder) {
    return Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
  }
}
