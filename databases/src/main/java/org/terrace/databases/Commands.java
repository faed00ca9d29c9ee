package org.terrace.databases;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Keeper;

/** Runs the short-lived programs that prepare a server, and tells what they said when they fail. */
public final class Commands {
  /** Making a cluster takes about two seconds; a machine under load gets thirty times that. */
  private static final int LONGEST_SECONDS = 60;

  private static final int SHOWN_OUTPUT_CHARACTERS = 2000;

  /** The most that is kept of what a command tells. */
  private static final int KEPT_OUTPUT_CHARACTERS = 100_000;

  private Commands() {}

  /** Runs a command to its end with the given input; fails unless its exit code is 0. */
  public static void run(String name, List<String> command, String input) {
    var _ = outputOf(name, command, input);
  }

  /**
   * Runs a command to its end and gives the lines that it printed, {@value #KEPT_OUTPUT_CHARACTERS}
   * characters at most; fails unless its exit code is 0.
   */
  public static List<String> linesOf(String name, List<String> command) {
    return outputOf(name, command, "").lines().toList();
  }

  private static String outputOf(String name, List<String> command, String input) {
    try {
      Process process =
          Keeper.ofThisProcess()
              .startApart(
                  new ProcessBuilder(command)
                      .redirectErrorStream(true)
                      .directory(Path.of("/").toFile()));
      try (var writer = process.outputWriter(StandardCharsets.UTF_8)) {
        writer.write(input);
      }
      var output = new StringBuilder();
      Thread reader = Thread.ofVirtual().start(() -> readInto(process, output));
      if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "%s did not end within %d s and was killed; it ran as: %s"
                .formatted(name, LONGEST_SECONDS, String.join(" ", command)));
      }
      reader.join();
      if (process.exitValue() != 0) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "%s ended with exit code %d; it ran as: %s%nIt said: %s"
                .formatted(
                    name,
                    process.exitValue(),
                    String.join(" ", command),
                    output.substring(0, Math.min(output.length(), SHOWN_OUTPUT_CHARACTERS))));
      }
      return output.toString();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot run %s (%s).".formatted(String.join(" ", command), e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(ErrorCode.CHECK_FAILED, "Interrupted while running " + name, e);
    }
  }

  private static void readInto(Process process, StringBuilder output) {
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (output.length() < KEPT_OUTPUT_CHARACTERS) {
          output.append(line).append('\n');
        }
      }
    } catch (IOException e) {
      output.append("(its output ended with ").append(e.getMessage()).append(')');
    }
  }
}
