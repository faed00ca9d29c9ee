package org.terrace.hosts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.terrace.core.TimeSource;

/** A runner with servers on its own machine, which waits for the end of its input. */
final class LocalRunner {
  private LocalRunner() {}

  /** Arguments: the folder of the trial, and anything if it is to have a database. */
  public static void main(String[] arguments) throws IOException {
    try (LocalServerHost host =
        new LocalServerHost("local", Path.of(arguments[0]), TimeSource.system())) {
      if (arguments.length > 1) {
        host.database(
                new DatabasePlan(
                    DatabasePlan.DatabaseSystem.POSTGRESQL,
                    "127.15.4.9",
                    5432,
                    "terrace",
                    List.of("127.0.0.0/8")))
            .initialise();
      }
      System.out.println("ready");
      var _ = System.in.read();
    }
    System.exit(0);
  }
}
