package org.terrace.experiment.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The parts of growing log files that were written since a moment. Confined to one thread. */
public final class LogParts {
  private final Path logs;
  private final Map<Path, Long> sizes = new HashMap<>();

  /** The parts of all files in a folder from now on, or from their beginning. */
  private LogParts(Path logs) {
    this.logs = logs;
  }

  /** All that is in a folder's files, and will be. */
  public static LogParts all(Path logs) {
    return new LogParts(logs);
  }

  /** All that a folder's files get from now on. */
  public static LogParts fromNow(Path logs) {
    LogParts parts = new LogParts(logs);
    for (Path file : parts.files()) {
      parts.sizes.put(file, size(file));
    }
    return parts;
  }

  /** Copies the parts into files of the same names in another folder, which is there. */
  public void copyTo(Path folder) {
    for (Path file : files()) {
      long from = sizes.getOrDefault(file, 0L);
      long size = size(file);
      // A file that is shorter by now has been written anew.
      long begin = size < from ? 0 : from;
      if (size == begin && sizes.containsKey(file)) {
        continue;
      }
      try (FileChannel source = FileChannel.open(file, StandardOpenOption.READ);
          FileChannel target =
              FileChannel.open(
                  folder.resolve(file.getFileName()),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.TRUNCATE_EXISTING)) {
        long copied = begin;
        while (copied < size) {
          long count = source.transferTo(copied, size - copied, target);
          if (count <= 0) {
            break;
          }
          copied += count;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private List<Path> files() {
    try (Stream<Path> entries = Files.list(logs)) {
      return entries.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
