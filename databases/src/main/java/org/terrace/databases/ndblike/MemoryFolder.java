package org.terrace.databases.ndblike;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.process.Keeper;
import org.terrace.databases.DirectoryTree;

/**
 * The place of data that are to lie in memory: a file system of memory where there is one, else the
 * directory of temporary files. Stateless.
 */
public final class MemoryFolder {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
  private static final String FILE_SYSTEM = "tmpfs";
  private static final String NAME = "terrace-ndb-";

  /** The room of one node with a small board, several times over. */
  private static final long LEAST_BYTES = 512L << 20;

  private static final Pattern OWNED = Pattern.compile(NAME + "(\\d{1,18})\\.(\\d{1,18})-.*");

  private MemoryFolder() {}

  /** The directory below which nodes make theirs. */
  public static Path place() {
    return isMemory() ? MEMORY : TEMPORARY;
  }

  /** Whether {@link #place()} is in memory and not on a disk. */
  public static boolean isMemory() {
    try {
      return Files.isDirectory(MEMORY)
          && Files.isWritable(MEMORY)
          && Files.getFileStore(MEMORY).type().equals(FILE_SYSTEM)
          && Files.getFileStore(MEMORY).getUsableSpace() >= LEAST_BYTES;
    } catch (IOException e) {
      return false;
    }
  }

  /** The beginning of the names of directories of this process, which tells it from all others. */
  static String prefix() {
    long self = ProcessHandle.current().pid();
    return NAME + self + "." + Keeper.startTicks(self) + "-";
  }

  /**
   * Deletes what processes left that were killed, in memory, which is not given back by itself and
   * may be scarce for that reason, and on the disk.
   */
  static void deleteLeft() {
    deleteLeft(MEMORY);
    deleteLeft(TEMPORARY);
  }

  static void deleteLeft(Path folder) {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, NAME + "*")) {
      for (Path each : left) {
        Matcher name = OWNED.matcher(each.getFileName().toString());
        if (name.matches()
            && Keeper.startTicks(Long.parseLong(name.group(1))) != Long.parseLong(name.group(2))) {
          delete(each);
        }
      }
    } catch (IOException e) {
      // There is nothing that could be looked through.
    }
  }

  private static void delete(Path left) {
    try {
      DirectoryTree.delete(left);
    } catch (IOException e) {
      // What another account left is not ours to delete, and in nobody's way.
    }
  }
}
