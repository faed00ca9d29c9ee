package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The epochs of services in their database, which fence a primary that has been replaced and does
 * not know: a call of an earlier epoch cannot commit once a later one is in force.
 *
 * <p>Raising an epoch waits for the calls of the old one that are about to commit, and for no
 * others; one that hangs there is rolled back by the database after the old primary's {@link
 * RetentionOptions#idleLimit()}. Thread-safe.
 *
 * @see RetainedExecution which raises it by itself when a replica that was appointed for a later
 *     epoch gets its first call
 */
public final class PrimaryEpoch {
  private final DataSource dataSource;

  /** The epochs kept in a database, in which {@link RetentionSchema#create} made the tables. */
  public PrimaryEpoch(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * An epoch in force.
   *
   * @param epoch from 1
   * @param holder the name of the replica that is the primary in it; empty if it was not told
   */
  public record Current(long epoch, String holder) {}

  /** The epoch in force; empty if the service never had a primary. */
  public Optional<Current> current(String service) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        return Dialect.of(connection).epoch(connection, service);
      } finally {
        connection.rollback();
      }
    }
  }

  /**
   * Puts an epoch in force, with its primary, unless one as high or higher is.
   *
   * @return whether it is in force now with this primary: true also when it was before
   * @throws SQLException if the database did not confirm it; raising it again does no harm
   */
  public boolean raise(String service, long epoch, String holder) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        Dialect dialect = Dialect.of(connection);
        dialect.raiseEpoch(connection, service, epoch, holder);
        boolean inForce =
            dialect
                .epoch(connection, service)
                .filter(new Current(epoch, holder)::equals)
                .isPresent();
        connection.commit();
        return inForce;
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      }
    }
  }
}
