package org.terrace.seven;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.terrace.core.Flags;
import org.terrace.seven.application.Application;

/** The program that puts an application's tables and first rows into a database. */
public final class SevenSetup {
  private static final String USAGE = "[--application NAME] " + DatabaseAddress.USAGE;

  private SevenSetup() {}

  /** Sets up one application, or all of them. */
  public static void main(String[] arguments) {
    Program.run("SevenSetup", USAGE, () -> setUp(Flags.of(arguments)));
  }

  private static int setUp(Flags arguments) throws SQLException {
    List<Application<?>> wanted =
        arguments
            .optional("--application")
            .<List<Application<?>>>map(name -> List.of(SevenApplications.named(name)))
            .orElse(SevenApplications.all());
    DatabaseAddress database = DatabaseAddress.of(arguments);
    arguments.end();
    try (Connection connection = database.connect()) {
      for (Application<?> application : wanted) {
        Installation.reset(application, connection);
        System.out.println("set up " + application.name());
      }
    }
    return 0;
  }
}
