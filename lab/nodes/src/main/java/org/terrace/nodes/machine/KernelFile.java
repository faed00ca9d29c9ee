package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Files through which the kernel tells and is told: read whole, written in one call. Stateless. */
final class KernelFile {
  private KernelFile() {}

  static void write(Path file, String value) throws IOException {
    Files.writeString(file, value, StandardOpenOption.WRITE);
  }

  /** The words of a file, none when it cannot be read. */
  static List<String> words(Path file) {
    try {
      String text = Files.readString(file).strip();
      return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The number after a name at the start of a line, 0 when no line has it. */
  static long field(List<String> lines, String name) {
    for (String line : lines) {
      if (line.startsWith(name + " ")) {
        return Long.parseLong(line.substring(name.length() + 1).strip());
      }
    }
    return 0;
  }

  /** The refusal of the kernel, in words. */
  static String why(Exception failure) {
    return switch (failure) {
      case AccessDeniedException denied -> "this user may not write to " + denied.getFile();
      case NoSuchFileException missing -> "there is no " + missing.getFile();
      case FileSystemException file when file.getReason() != null ->
          file.getFile() + ": " + file.getReason();
      default -> String.valueOf(failure.getMessage());
    };
  }
}
