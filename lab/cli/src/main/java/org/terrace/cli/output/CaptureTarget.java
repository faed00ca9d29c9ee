package org.terrace.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The file that a capture is written to: never one that holds something, unless that is asked. */
public final class CaptureTarget {
  private static final String NAME = "capture";
  private static final String SUFFIX = ".pcapng";

  private CaptureTarget() {}

  /**
   * The file to write.
   *
   * @param asked the file that was named; null for the first free one of {@code capture.pcapng},
   *     {@code capture-2.pcapng} and so on, in the working directory
   * @param replace whether what is in it may go
   * @throws TerraceException if the file holds something that may not go
   */
  public static Path choose(@Nullable Path asked, boolean replace) {
    if (asked != null) {
      if (!replace && holdsSomething(asked)) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            asked + " is there already; name another file, or write over it with --replace");
      }
      return asked;
    }
    Path free = Path.of(NAME + SUFFIX);
    for (int number = 2; Files.exists(free); number++) {
      free = Path.of(NAME + "-" + number + SUFFIX);
    }
    return free;
  }

  /** Whether a file has content that could be lost; a pipe or a device has none. */
  private static boolean holdsSomething(Path file) {
    try {
      return Files.isRegularFile(file) && Files.size(file) > 0;
    } catch (IOException e) {
      return true;
    }
  }
}
