package org.terrace.cli.output;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** A file that is there whole or not at all, and never in the place of another. Stateless. */
public final class NewFile {
  private NewFile() {}

  /**
   * Writes a text in UTF-8, and makes the folders that lead there.
   *
   * @throws TerraceException if there is anything of that name, which stays as it is, or nothing
   *     can be written there
   */
  public static void write(Path file, String text) {
    requireFree(file);
    Path target = file.toAbsolutePath();
    Path unfinished =
        target.resolveSibling(
            "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".new");
    try {
      Files.createDirectories(target.getParent());
      try {
        Files.write(
            unfinished, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW);
        place(unfinished, target);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException e) {
      if (e instanceof FileAlreadyExistsException) {
        requireFree(file);
      }
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file + " cannot be written (" + e + "); name a file in a folder that you may write to",
          e);
    }
  }

  /**
   * Checks that there is nothing of a name.
   *
   * @throws TerraceException if there is
   */
  public static void requireFree(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file + " is there already, and is not written over; name another file, or move it away");
    }
  }

  private static void place(Path unfinished, Path target) throws IOException {
    try {
      // A second name is refused where there is one already; a move would go over what came since.
      Files.createLink(target, unfinished);
    } catch (UnsupportedOperationException e) {
      Files.move(unfinished, target);
    }
  }
}
