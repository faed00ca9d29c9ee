package org.terrace.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory with all that is below it. Symbolic links are not followed. Stateless. */
public final class FileTree {
  private FileTree() {}

  /** Deletes the directory and all below it, what is deepest first; nothing if it is not there. */
  public static void delete(Path directory) throws IOException {
    List<Path> found;
    try (Stream<Path> files = Files.walk(directory)) {
      found = files.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return;
    }
    for (Path file : found) {
      Files.deleteIfExists(file);
    }
  }
}
