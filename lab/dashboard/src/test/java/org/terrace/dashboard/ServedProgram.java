package org.terrace.dashboard;

import java.nio.file.Path;
import java.util.Optional;
import org.terrace.core.TimeSource;

/** A process that serves a directory until it is ended. */
final class ServedProgram {
  private ServedProgram() {}

  /**
   * Serves, and prints the port.
   *
   * @param arguments the directory
   */
  public static void main(String[] arguments) throws InterruptedException {
    Dashboard dashboard =
        Dashboard.start(
            new DashboardOptions(Path.of(arguments[0]), "127.0.0.1", 0, Optional.empty()),
            TimeSource.system());
    System.out.println(dashboard.port());
    Thread.currentThread().join();
  }
}
