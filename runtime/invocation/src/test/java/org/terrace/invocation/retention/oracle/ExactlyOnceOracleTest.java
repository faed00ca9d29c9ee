package org.terrace.invocation.retention.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.testing.Seeds;

/**
 * Exactly once under fire: replicas and clients as processes over real sockets and a real database,
 * killed, stopped, fenced, and sent everything twice.
 *
 * <p>The faults are {@value #DEFAULT_FAULTS}, or as many as {@code -Dterrace.oracle.faults=N} says.
 */
class ExactlyOnceOracleTest {
  private static final int DEFAULT_FAULTS = 20;
  private static final int FAULTS = Integer.getInteger("terrace.oracle.faults", DEFAULT_FAULTS);
  private static final int SHOWN_VIOLATIONS = 20;
  private static final double NANOS_IN_SECOND = 1e9;

  @TempDir Path folder;

  @Test
  void everyAcknowledgedCallHasOneEffectAndNoCallHasTwo() throws Exception {
    try (TestDatabase database = PostgresDatabase.start()) {
      run("PostgreSQL", database);
    }
  }

  @Test
  void theSameHoldsOnMariaDb() throws Exception {
    try (TestDatabase database = MariaDbDatabase.start()) {
      run("MariaDB", database);
    }
  }

  private void run(String name, TestDatabase database) throws Exception {
    try (HikariDataSource pool = database.pool(2)) {
      run(name, database, pool);
    }
  }

  private void run(String name, TestDatabase database, HikariDataSource pool) throws Exception {
    DatabaseLedger.create(pool);
    long began = TimeSource.system().elapsedNanos();
    OracleFaults faults =
        new OracleFaults(
            Seeds.next("ExactlyOnceOracleTest"),
            List.of(freeAddress("127.22.2.1"), freeAddress("127.22.2.2")),
            database.url(),
            database.user(),
            folder);
    faults.run(FAULTS);
    OracleVerdict verdict = OracleVerdict.of(faults.logs(), pool);
    System.out.printf(
        "%s: %d faults %s in %.0f s; %d requests sent, %d acknowledged, %d refused, %d unknown, %d replies to copies; %d effects, %d violations%n",
        name,
        FAULTS,
        faults.done(),
        (TimeSource.system().elapsedNanos() - began) / NANOS_IN_SECOND,
        verdict.sent(),
        verdict.acknowledged(),
        verdict.refused(),
        verdict.unknown(),
        verdict.copies(),
        verdict.effects(),
        verdict.violations().size());

    assertThat(
            verdict
                .violations()
                .subList(0, Math.min(SHOWN_VIOLATIONS, verdict.violations().size())))
        .isEmpty();
    assertThat(verdict.acknowledged()).isPositive();
    assertThat(verdict.effects())
        .isBetween(verdict.acknowledged(), verdict.acknowledged() + verdict.unknown());
  }

  private static String freeAddress(String host) throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return host + ":" + socket.getLocalPort();
    }
  }
}
