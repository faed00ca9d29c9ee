package org.terrace.seven;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The frame of the four programs: their messages and exit codes. */
final class Program {
  private Program() {}

  /** The work of a program, which returns its exit code. */
  interface Work {
    int run() throws Exception;
  }

  /**
   * Does the work and ends the process with its exit code; a failure that a user can act on is one
   * sentence on standard error.
   */
  static void run(String name, String usage, Work work) {
    Logger.getLogger("").setLevel(Level.WARNING);
    System.exit(exitCode(name, usage, work));
  }

  private static int exitCode(String name, String usage, Work work) {
    try {
      return work.run();
    } catch (TerraceException e) {
      System.err.println(name + ": " + e.getMessage());
      if (e.code() == ErrorCode.BAD_INPUT) {
        System.err.println("Usage: " + name + " " + usage);
      }
      return e.code().exitCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      System.err.println(name + ": interrupted");
      return ErrorCode.CHECK_FAILED.exitCode();
    } catch (Exception e) {
      System.err.println(name + ": " + e);
      return ErrorCode.CHECK_FAILED.exitCode();
    }
  }
}
