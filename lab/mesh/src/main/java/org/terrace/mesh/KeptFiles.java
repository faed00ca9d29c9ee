package org.terrace.mesh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.terrace.experiment.Trial;
import org.terrace.hosts.TrialCapture;

/**
 * The large files of a trial's folder, which stay as a mesh says: captures, of which each host may
 * have one, and tables. Stateless.
 */
final class KeptFiles {
  private KeptFiles() {}

  /** Deletes the captures of a folder; how many there were. */
  static int dropCaptures(Path folder) throws IOException {
    return drop(folder, file -> TrialCapture.hasName(file, Trial.CAPTURE_FILE));
  }

  /** Deletes the tables of a folder; how many there were. */
  static int dropTables(Path folder) throws IOException {
    return drop(folder, file -> file.toString().endsWith(".parquet"));
  }

  private static int drop(Path folder, Predicate<Path> dropped) throws IOException {
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder)) {
      files = entries.filter(dropped).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    return files.size();
  }

  /** The bytes of a folder with all that is below it; 0 if it is not there. */
  static long bytes(Path folder) {
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Deletes captures, and when none is left tables, of one folder after another until enough bytes
   * are free.
   *
   * @param excess how many bytes are to be freed
   * @return the folders that lost something, a sentence each
   */
  static List<String> free(List<Path> folders, long excess) throws IOException {
    List<String> lost = new ArrayList<>();
    long left = excess;
    for (boolean tables : new boolean[] {false, true}) {
      for (Path folder : folders) {
        if (left <= 0) {
          return lost;
        }
        long before = bytes(folder);
        int dropped = tables ? dropTables(folder) : dropCaptures(folder);
        if (dropped > 0) {
          left -= before - bytes(folder);
          String what = tables ? "tables" : dropped == 1 ? "capture" : "captures";
          lost.add("the " + what + " of " + folder.getFileName());
        }
      }
    }
    return lost;
  }
}
