package org.terrace.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The result directory of a trial or a study. Stateless. */
public final class ResultFolder {
  private ResultFolder() {}

  /** Makes the directory ready: new, or one that holds an earlier result, which is replaced. */
  public static void prepare(Path directory) {
    try {
      Files.createDirectories(directory);
      if (!isEmpty(directory) && !Files.exists(directory.resolve(Trial.SPECIFICATION_FILE))) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "the result directory "
                + directory
                + " holds something that is not an earlier result; name another with --out, or empty it");
      }
      Files.deleteIfExists(directory.resolve(Trial.FILE));
      Files.deleteIfExists(directory.resolve(Trial.CAPTURE_FILE));
      for (Path folder : new Path[] {logs(directory), load(directory)}) {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            Files.delete(file);
          }
        }
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "the result directory " + directory + " cannot be used: " + e, e);
    }
  }

  /** Where the processes' logs go. */
  public static Path logs(Path directory) {
    return directory.resolve("logs");
  }

  static Path load(Path directory) {
    return directory.resolve("load");
  }

  /** Writes a file so that it is there whole or not at all. */
  public static void write(Path file, String text) {
    try {
      Path temporary = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(temporary, text);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }
}
