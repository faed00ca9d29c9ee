package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The failures at a start that are waited for, and those that are not. */
class DatabaseFailuresTest {
  /** An exception as HikariCP throws it: its own words around the last failure of the driver. */
  private static SQLException ofPool(SQLException last) {
    return new SQLTransientConnectionException("not available", last.getSQLState(), last);
  }

  private static boolean isAway(SQLException failure) {
    boolean bare = DatabaseWait.isAway(failure);
    assertThat(DatabaseWait.isAway(ofPool(failure))).isEqualTo(bare);
    assertThat(
            DatabaseWait.isAway(
                new TerraceException(ErrorCode.MACHINE_LACKS, "tables", ofPool(failure))))
        .isEqualTo(bare);
    return bare;
  }

  @Test
  void noConnectionStartingEndingAndFullAreWaitedFor() {
    assertThat(isAway(new SQLException("refused", "08001"))).isTrue();
    assertThat(isAway(new SQLNonTransientConnectionException("refused", "08000"))).isTrue();
    assertThat(isAway(new SQLException("the database system is starting up", "57P03"))).isTrue();
    assertThat(isAway(new SQLException("shutting down", "57P01"))).isTrue();
    assertThat(isAway(new SQLException("too many clients", "53300"))).isTrue();
    assertThat(isAway(new SQLException("too many connections", "HY000", 1040))).isTrue();
  }

  @Test
  void aPoolThatHasNotHeardFromItsDatabaseYetIsWaitedFor() {
    assertThat(DatabaseWait.isAway(new SQLTransientConnectionException("timed out"))).isTrue();
  }

  @Test
  void whatTheDatabaseItselfRefusesIsNotWaitedFor() {
    assertThat(isAway(new SQLException("no such role", "28000"))).isFalse();
    assertThat(isAway(new SQLException("wrong password", "28P01"))).isFalse();
    assertThat(isAway(new SQLException("no such database", "3D000"))).isFalse();
    assertThat(isAway(new SQLSyntaxErrorException("no privilege", "42501"))).isFalse();
    assertThat(DatabaseWait.isAway(new TerraceException(ErrorCode.BAD_INPUT, "wrong kind")))
        .isFalse();
  }
}
