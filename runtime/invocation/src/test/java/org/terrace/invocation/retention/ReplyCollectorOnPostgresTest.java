package org.terrace.invocation.retention;

/** On PostgreSQL. */
class ReplyCollectorOnPostgresTest extends ReplyCollectorContract {
  @Override
  TestDatabase start() throws Exception {
    return PostgresDatabase.start();
  }
}
