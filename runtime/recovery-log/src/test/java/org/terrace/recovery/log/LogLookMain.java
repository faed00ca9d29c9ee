package org.terrace.recovery.log;

import java.io.IOException;
import java.nio.file.Path;

/** A process that says whether the log of a directory is in use. */
final class LogLookMain {
  private LogLookMain() {}

  public static void main(String[] arguments) throws IOException {
    System.out.print(RecoveryLog.isInUse(Path.of(arguments[0])));
  }
}
