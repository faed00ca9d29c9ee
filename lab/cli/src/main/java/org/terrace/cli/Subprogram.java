package org.terrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.terrace.core.process.Keeper;

/**
 * A program of the distribution in a process of its own, which has the command's input and output
 * and ends with it. Stateless.
 */
final class Subprogram {
  /** The messages that are kept of a quiet program, in case it fails. */
  private static final int KEPT_BYTES = 1 << 16;

  private Subprogram() {}

  /**
   * Runs it to its end.
   *
   * @param quiet whether its messages are shown only if it fails, and then the last 64 KiB
   * @param endWithinSeconds how long it may take to end when the command is interrupted
   * @return its exit code
   */
  static int run(List<String> command, boolean quiet, int endWithinSeconds)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    if (quiet) {
      builder.redirectError(ProcessBuilder.Redirect.PIPE);
    }
    Process process = Keeper.ofThisProcess().start(builder);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, endWithinSeconds)));
    byte[] messages = quiet ? last(process.getErrorStream()) : new byte[0];
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      System.err.write(messages, 0, messages.length);
      System.err.flush();
    }
    return exitCode;
  }

  /** The last bytes of a stream that is read to its end. */
  static byte[] last(InputStream stream) throws IOException {
    byte[] window = new byte[2 * KEPT_BYTES];
    int length = 0;
    for (int read = 0; read >= 0; read = stream.read(window, length, window.length - length)) {
      length += read;
      if (length == window.length) {
        System.arraycopy(window, KEPT_BYTES, window, 0, KEPT_BYTES);
        length = KEPT_BYTES;
      }
    }
    return Arrays.copyOfRange(window, Math.max(0, length - KEPT_BYTES), length);
  }

  private static void end(Process process, int withinSeconds) {
    process.destroy();
    try {
      if (!process.waitFor(withinSeconds, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
