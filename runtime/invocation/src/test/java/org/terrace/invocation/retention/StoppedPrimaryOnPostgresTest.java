package org.terrace.invocation.retention;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** On PostgreSQL, which says that it ended the session before any commit came. */
@Tag("real-processes")
@Tag("long")
class StoppedPrimaryOnPostgresTest extends StoppedPrimaryContract {
  @Override
  TestDatabase start() throws Exception {
    return PostgresDatabase.start();
  }

  @Override
  List<String> endsWhenEndedByTheDatabase() {
    return List.of("UNAVAILABLE");
  }
}
