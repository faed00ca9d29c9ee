package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The word to people that a database forgets what it has committed when its host crashes: then an
 * update that was acknowledged may be gone. Each database is told of once. Thread-safe.
 */
final class ForgottenCommits {
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private ForgottenCommits() {}

  static void tell(Connection connection, Dialect dialect) throws SQLException {
    String weakness = dialect.weakness(connection);
    if (!weakness.isEmpty() && TOLD.add(connection.getMetaData().getURL())) {
      System.err.println(
          "the database may lose the last updates it acknowledged when its host crashes, since "
              + weakness
              + " (docs/guide/fail-over-and-exactly-once.md)");
    }
  }
}
