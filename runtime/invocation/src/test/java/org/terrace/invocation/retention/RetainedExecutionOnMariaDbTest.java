package org.terrace.invocation.retention;

import org.junit.jupiter.api.Tag;

/** On MariaDB. */
@Tag("real-processes")
@Tag("long")
class RetainedExecutionOnMariaDbTest extends RetainedExecutionContract {
  @Override
  TestDatabase start() throws Exception {
    return MariaDbDatabase.start();
  }
}
