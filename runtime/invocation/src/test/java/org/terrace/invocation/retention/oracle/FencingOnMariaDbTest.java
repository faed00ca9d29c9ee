package org.terrace.invocation.retention.oracle;

import org.junit.jupiter.api.Tag;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.TestDatabase;

/** On MariaDB. */
@Tag("real-processes")
@Tag("untimed")
class FencingOnMariaDbTest extends FencingContract {
  @Override
  TestDatabase start() throws Exception {
    return MariaDbDatabase.start();
  }
}
