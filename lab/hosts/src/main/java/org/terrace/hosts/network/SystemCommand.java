package org.terrace.hosts.network;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ShortCommand;

/**
 * A command of the system that changes something of this host, whose failure is told with what it
 * was for and the package that has it. Stateless.
 */
public final class SystemCommand {
  private static final Duration WITHIN = Duration.ofSeconds(20);

  /** The output that a message has room for. */
  private static final int MESSAGE_CHARACTERS = 2_000;

  /** The exit status that says that there is no such program. */
  private static final int NOT_FOUND = 127;

  private SystemCommand() {}

  /**
   * Runs a command.
   *
   * @param what what it is for, to complete the sentence "cannot ..."
   * @param goodPackage the Debian package that has the program
   * @throws TerraceException if it fails, with what it said
   */
  public static void run(String what, String goodPackage, String... words) {
    run(what, goodPackage, ShortCommand.of(words).withWithin(WITHIN));
  }

  static void run(String what, String goodPackage, ShortCommand command) {
    ShortCommand.Result result;
    try {
      result = command.run();
    } catch (InterruptedIOException e) {
      throw failure(what, command, "interrupted");
    } catch (IOException e) {
      throw failure(what, command, "it cannot be started: " + e.getMessage());
    }
    if (!result.isSuccess()) {
      boolean isMissing = result.status().orElse(0) == NOT_FOUND;
      String remedy = isMissing ? "; install it with: sudo apt-get install " + goodPackage : "";
      throw failure(what, command, result.failure() + said(result.output().strip()) + remedy);
    }
  }

  /** The beginning of what it said, to follow a clause; empty if it said nothing. */
  private static String said(String text) {
    return text.isEmpty()
        ? ""
        : "; it said: " + text.substring(0, Math.min(text.length(), MESSAGE_CHARACTERS));
  }

  private static TerraceException failure(String what, ShortCommand command, String why) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "cannot %s: '%s' failed (%s)".formatted(what, String.join(" ", command.words()), why));
  }
}
