package org.terrace.invocation.retention;

import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * On MariaDB, which closes the connection without a word: in the middle of a commit for all its
 * client knows.
 */
@Tag("real-processes")
@Tag("long")
class StoppedPrimaryOnMariaDbTest extends StoppedPrimaryContract {
  @Override
  TestDatabase start() throws Exception {
    return MariaDbDatabase.start();
  }

  @Override
  List<String> endsWhenEndedByTheDatabase() {
    return List.of("UNAVAILABLE", "IN_DOUBT");
  }
}
