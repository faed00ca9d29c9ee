package org.terrace.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** Writes a text so that its file appears whole or not at all. */
final class WholeFile {
  private WholeFile() {}

  static void write(Path file, String text) {
    Path target = file.toAbsolutePath();
    try {
      Files.createDirectories(target.getParent());
      // Not a file of Files.createTempFile, whose rights are its owner's alone whatever the umask.
      Path temporary =
          target.resolveSibling(
              "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
      try {
        Files.write(temporary, text.getBytes(StandardCharsets.UTF_8));
        Files.move(
            temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          file + ": it cannot be written: " + e + ". Free space or choose another --out.",
          e);
    }
  }
}
