package org.terrace.invocation.retention.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.TestDatabase;

/**
 * On PostgreSQL, also where transactions are serialized; on MariaDB the epoch then waits for them.
 */
@Tag("real-processes")
@Tag("untimed")
class FencingOnPostgresTest extends FencingContract {
  @Override
  TestDatabase start() throws Exception {
    return PostgresDatabase.start();
  }

  @Test
  void theSameHoldsWhereTransactionsAreSerialized() throws Exception {
    aCallUnderWayIsRefusedAt("SERIALIZABLE");
  }
}
