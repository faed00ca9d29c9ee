package org.terrace.invocation.retention;

/** On MariaDB. */
class RetainedExecutionOnMariaDbTest extends RetainedExecutionContract {
  @Override
  TestDatabase start() throws Exception {
    return MariaDbDatabase.start();
  }
}
