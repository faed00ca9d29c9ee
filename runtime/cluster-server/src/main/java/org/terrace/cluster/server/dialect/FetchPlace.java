package org.terrace.cluster.server.dialect;

import java.sql.SQLException;
import org.terrace.cluster.core.SqlStates;

/**
 * The place where those calls of a client on a result are made that may wait for its server, one
 * after the other: an interrupt closes the socket at which a virtual thread waits, so that a client
 * must not wait there itself.
 */
public interface FetchPlace {
  /** The thread of the client, for results whose rows are all there. */
  FetchPlace CALLER =
      new FetchPlace() {
        @Override
        public <T> T fetch(Call<T> call) throws SQLException {
          return call.make();
        }

        @Override
        public void broken() {}
      };

  /** A call on a result. */
  @FunctionalInterface
  interface Call<T> {
    /** Makes the call. */
    T make() throws SQLException;
  }

  /**
   * Makes a call and waits for it.
   *
   * @throws SQLException also, with an {@link InterruptedException} as its cause, if the client is
   *     interrupted: the call is made nevertheless
   */
  <T> T fetch(Call<T> call) throws SQLException;

  /** Notes that the connection was broken at this end, which says nothing against the server. */
  void broken();

  /** Makes a call that ends something, which is not in vain if the client is interrupted at it. */
  default void end(Call<?> call) throws SQLException {
    try {
      fetch(call);
    } catch (SQLException e) {
      if (!isInterruption(e)) {
        throw e;
      }
    }
  }

  /** Whether a client was told so because it was interrupted. */
  static boolean isInterruption(SQLException failure) {
    return failure.getCause() instanceof InterruptedException;
  }

  /** The failure of a client that was interrupted, which says nothing against a server. */
  static SQLException interrupted(Exception cause) {
    return new SQLException("The client was interrupted.", SqlStates.QUERY_CANCELED, cause);
  }
}
