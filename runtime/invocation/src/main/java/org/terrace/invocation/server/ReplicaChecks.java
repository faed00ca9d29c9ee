package org.terrace.invocation.server;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.terrace.control.ServiceReference;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.Endpoint;

/** The checks that a replica makes of itself and of its peers. Immutable; a check may block. */
final class ReplicaChecks {
  private static final Duration SIGN_OF_LIFE_TIMEOUT = Duration.ofMillis(40);
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(2);

  private final ServerOptions options;
  private final Endpoint own;
  private final LongUnaryOperator databaseAnswered;

  /**
   * The checks of a replica.
   *
   * @param databaseAnswered the later of the given time and the one at which its database last
   *     answered a call
   */
  ReplicaChecks(ServerOptions options, Endpoint own, LongUnaryOperator databaseAnswered) {
    this.options = options;
    this.own = own;
    this.databaseAnswered = databaseAnswered;
  }

  /** The checks that it accepts connections, and that it reaches its database if it has one. */
  List<Health.Check> ofThisReplica() {
    List<Health.Check> checks = new ArrayList<>(List.of(this::checkListener));
    if (options.database() != null) {
      checks.add(new DatabaseCheck());
    }
    return checks;
  }

  /** A connection of its own beside those of calls, and a round trip. */
  private void checkListener() throws Exception {
    options.middleware().check(own, CHECK_TIMEOUT);
  }

  /**
   * A connection of the pool, or an answer to a call: while calls have all connections, the check
   * waits behind them, and the database is there.
   */
  private final class DatabaseCheck implements Health.Check {
    @Override
    public void run() throws SQLException {
      try (Connection connection = Objects.requireNonNull(options.database()).getConnection()) {
        if (!connection.isValid((int) CHECK_TIMEOUT.toSeconds())) {
          throw new SQLException("the database does not answer");
        }
      }
    }

    @Override
    public long wellNanos(long lastRunNanos) {
      return databaseAnswered.applyAsLong(lastRunNanos);
    }
  }

  /** The names of the other replicas of a reference that give no sign of life. */
  List<String> silentPeers(ServiceReference reference) {
    List<String> silent = new ArrayList<>();
    for (Endpoint peer : reference.endpoints()) {
      if (!peer.equals(own) && peer.middleware().equals(options.middleware().name())) {
        try {
          options.middleware().check(peer, SIGN_OF_LIFE_TIMEOUT);
        } catch (IOException | CallFailedException e) {
          silent.add(peer.replica());
        }
      }
    }
    return silent;
  }
}
