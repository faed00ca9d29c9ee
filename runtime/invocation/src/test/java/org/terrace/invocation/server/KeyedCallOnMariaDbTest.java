package org.terrace.invocation.server;

import org.junit.jupiter.api.Tag;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.TestDatabase;

/** The same on MariaDB, where copies wait for each other in another way. */
@Tag("real-processes")
@Tag("untimed")
class KeyedCallOnMariaDbTest extends KeyedCallTest {
  @Override
  TestDatabase startDatabase() throws Exception {
    return MariaDbDatabase.start();
  }
}
