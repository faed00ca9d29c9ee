package org.terrace.invocation.retention;

/** On MariaDB. */
class ReplyCollectorOnMariaDbTest extends ReplyCollectorContract {
  @Override
  TestDatabase start() throws Exception {
    return MariaDbDatabase.start();
  }
}
