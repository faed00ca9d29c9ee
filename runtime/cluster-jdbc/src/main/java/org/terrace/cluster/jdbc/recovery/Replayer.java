package org.terrace.cluster.jdbc.recovery;

import java.sql.Connection;
import java.sql.SQLException;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.core.StatementOutcome.Kind;
import org.terrace.cluster.jdbc.lease.ClusterLease;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.server.memory.FencedException;
import org.terrace.cluster.sql.Engine;

/**
 * The doing again of committed transactions at one replica. Every statement must come to the same
 * end as it did then. Immutable.
 *
 * @param lease whose epoch the replica checks
 */
public record Replayer(Engine engine, ClusterLease lease, int replica) {

  /**
   * Does a transaction on a connection with a transaction and the record's settings, marks it as
   * applied, and commits.
   *
   * @throws ReplayDiffersException when a statement ends otherwise: the replica's data differ
   * @throws FencedException when the replica belongs to another process
   */
  public void apply(Connection connection, TransactionRecord transaction)
      throws SQLException, ReplayDiffersException {
    for (LoggedStatement statement : transaction.statements()) {
      StatementOutcome outcome = execute(connection, statement);
      if (!outcome.equals(statement.outcome()) && !isDefinitionDone(statement)) {
        throw new ReplayDiffersException(transaction, statement, outcome);
      }
    }
    if (!lease.tables().mark(connection, transaction.position(), lease.epochAt(replica))) {
      throw new FencedException(lease.tables().read(connection).owner());
    }
    for (LoggedStatement statement : transaction.statements()) {
      if (statement.definition()) {
        lease.tables().forget(connection, statement.request().sql());
      }
    }
    connection.commit();
  }

  private StatementOutcome execute(Connection connection, LoggedStatement statement)
      throws SQLException {
    StatementRequest request = statement.request();
    try {
      OpenResult result =
          statement.definition()
              ? lease
                  .fence()
                  .define(
                      connection,
                      lease.epochAt(replica),
                      request.sql(),
                      () -> request.write(connection, new RunningStatements()))
              : request.write(connection, new RunningStatements());
      result.close();
      return StatementOutcome.done(result.fingerprint());
    } catch (FencedException e) {
      throw e;
    } catch (SQLException e) {
      StatementOutcome outcome = FailureKind.outcome(e);
      if (FailureKind.of(e) == FailureKind.LOST || outcome.kind() == Kind.GAVE_UP) {
        throw e;
      }
      return outcome;
    }
  }

  /**
   * Whether a definition may have been done before without being marked, as MariaDB commits each by
   * itself; whether it was, the comparison of schemas tells that follows.
   */
  private boolean isDefinitionDone(LoggedStatement statement) {
    return engine == Engine.MARIADB && statement.definition();
  }
}
