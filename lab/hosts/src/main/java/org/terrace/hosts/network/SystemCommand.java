package org.terrace.hosts.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** A short command of the system that is run to its end. Stateless. */
final class SystemCommand {
  private static final long WITHIN_SECONDS = 20;
  private static final int MESSAGE_BYTES = 2_000;

  private SystemCommand() {}

  /**
   * Runs a command.
   *
   * @param what what it is for, to complete the sentence "cannot ..."
   * @param goodPackage the Debian package that has the program
   * @throws TerraceException if it fails, with what it said
   */
  static void run(String what, String goodPackage, String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readNBytes(MESSAGE_BYTES), StandardCharsets.UTF_8);
      if (!process.waitFor(WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw failure(what, List.of(command), "it does not end");
      }
      if (process.exitValue() != 0) {
        throw failure(what, List.of(command), said.strip());
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "cannot %s: %s; install it with: sudo apt-get install %s"
              .formatted(what, e.getMessage(), goodPackage),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(what, List.of(command), "interrupted");
    }
  }

  private static TerraceException failure(String what, List<String> command, String said) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "cannot %s: '%s' failed (%s)".formatted(what, String.join(" ", command), said));
  }
}
