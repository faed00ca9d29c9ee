package org.terrace.databases;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ShortCommand;

/** Runs the short-lived programs that prepare a server, and tells what they said when they fail. */
public final class Commands {
  /** Making a cluster takes about two seconds; a machine under load gets thirty times that. */
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static final int SHOWN_OUTPUT_CHARACTERS = 2000;

  private Commands() {}

  /** Runs a command to its end with the given input; fails unless its exit code is 0. */
  public static void run(String name, List<String> command, String input) {
    var _ = outputOf(name, command, input);
  }

  /**
   * Runs a command to its end and gives the lines that it printed; fails unless its exit code is 0.
   */
  public static List<String> linesOf(String name, List<String> command) {
    return outputOf(name, command, "").lines().toList();
  }

  private static String outputOf(String name, List<String> command, String input) {
    ShortCommand.Result result;
    try {
      result =
          ShortCommand.of(command)
              .withInput(input)
              .withDirectory(Path.of("/"))
              .withWithin(LONGEST)
              .run();
    } catch (InterruptedIOException e) {
      throw new TerraceException(ErrorCode.CHECK_FAILED, "Interrupted while running " + name, e);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot run %s (%s).".formatted(String.join(" ", command), e.getMessage()),
          e);
    }
    if (!result.isSuccess()) {
      String output = result.output();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "%s failed (%s); it ran as: %s%nIt said: %s"
              .formatted(
                  name,
                  result.failure(),
                  String.join(" ", command),
                  output.substring(0, Math.min(output.length(), SHOWN_OUTPUT_CHARACTERS))));
    }
    return result.output();
  }
}
