package org.terrace.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The result directory of a trial or a study. Stateless. */
public final class ResultFolder {
  private ResultFolder() {}

  /** Makes a new directory ready, with places for logs and the load's files. */
  public static void prepare(Path directory) {
    try {
      Files.createDirectories(logs(directory));
      Files.createDirectories(load(directory));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "the result directory " + directory + " cannot be used: " + e, e);
    }
  }

  /** The folder of the processes' logs. */
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
}
