package org.terrace.invocation.retention;

import org.junit.jupiter.api.Tag;

/** On PostgreSQL. */
@Tag("real-processes")
class ReplyCollectorOnPostgresTest extends ReplyCollectorContract {
  @Override
  TestDatabase start() throws Exception {
    return PostgresDatabase.start();
  }
}
