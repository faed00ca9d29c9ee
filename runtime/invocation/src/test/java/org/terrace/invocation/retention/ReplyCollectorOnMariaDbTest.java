package org.terrace.invocation.retention;

import org.junit.jupiter.api.Tag;

/** On MariaDB. */
@Tag("real-processes")
@Tag("long")
class ReplyCollectorOnMariaDbTest extends ReplyCollectorContract {
  @Override
  TestDatabase start() throws Exception {
    return MariaDbDatabase.start();
  }
}
