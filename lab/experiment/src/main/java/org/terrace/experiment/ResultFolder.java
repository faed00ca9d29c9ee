package org.terrace.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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

  /** Writes a file so that it is there whole or not at all, whatever becomes of the machine. */
  public static void write(Path file, String text) {
    try {
      Path temporary = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(temporary, text);
      force(temporary);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      force(file.resolveSibling("."));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Forces a file or the entries of a directory onto the disk. */
  public static void force(Path place) throws IOException {
    try (FileChannel channel = FileChannel.open(place, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
