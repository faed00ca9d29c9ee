package org.terrace.invocation.retention;

/** On PostgreSQL. */
class RetainedExecutionOnPostgresTest extends RetainedExecutionContract {
  @Override
  TestDatabase start() throws Exception {
    return PostgresDatabase.start();
  }
}
