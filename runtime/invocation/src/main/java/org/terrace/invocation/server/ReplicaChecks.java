package org.terrace.invocation.server;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.terrace.control.ServiceReference;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.Endpoint;

/** The checks that a replica makes of itself and of its peers. Immutable; a check may block. */
final class ReplicaChecks {
  private static final Duration SIGN_OF_LIFE_TIMEOUT = Duration.ofMillis(40);
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(2);

  private final ServerOptions options;
  private final Endpoint own;

  ReplicaChecks(ServerOptions options, Endpoint own) {
    this.options = options;
    this.own = own;
  }

  /** That it accepts connections, and that it reaches its database if it has one. */
  List<Health.Check> ofThisReplica() {
    List<Health.Check> checks = new ArrayList<>(List.of(this::checkListener));
    if (options.database() != null) {
      checks.add(this::checkDatabase);
    }
    return checks;
  }

  /** A connection of its own, as a client has it, and a round trip. */
  private void checkListener() throws Exception {
    try (CallChannel channel = options.middleware().connect(own, CHECK_TIMEOUT)) {
      channel.check(CHECK_TIMEOUT);
    }
  }

  private void checkDatabase() throws SQLException {
    try (Connection connection = Objects.requireNonNull(options.database()).getConnection()) {
      if (!connection.isValid((int) CHECK_TIMEOUT.toSeconds())) {
        throw new SQLException("the database does not answer");
      }
    }
  }

  /** Whether another replica of a reference gives no sign of life. */
  boolean isAPeerSilent(ServiceReference reference) {
    for (Endpoint peer : reference.endpoints()) {
      if (!peer.equals(own) && peer.middleware().equals(options.middleware().name())) {
        try (CallChannel channel = options.middleware().connect(peer, SIGN_OF_LIFE_TIMEOUT)) {
          channel.check(SIGN_OF_LIFE_TIMEOUT);
        } catch (IOException | CallFailedException e) {
          return true;
        }
      }
    }
    return false;
  }
}
