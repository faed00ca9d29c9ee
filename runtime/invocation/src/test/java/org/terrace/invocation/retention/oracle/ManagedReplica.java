package org.terrace.invocation.retention.oracle;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.terrace.control.Style;
import org.terrace.control.naming.Addresses;
import org.terrace.invocation.retention.RetentionOptions;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;

/**
 * A replica of {@link Accounts} as an application writes it, started by managers: {@code
 * ManagedReplica NAME ADDRESS MANAGERS URL USER PLANTED}.
 */
public final class ManagedReplica {
  /** The time for which a client that sends nothing is remembered. */
  static final Duration LEASE = Duration.ofSeconds(4);

  private static final int CONNECTIONS = 12;
  private static final long CONNECT_MILLIS = 2_000;
  private static final RetentionOptions RETENTION =
      RetentionOptions.defaults().withLease(LEASE, Duration.ofMillis(50));

  private ManagedReplica() {}

  public static void main(String[] arguments) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[3]);
    config.setUsername(arguments[4]);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(CONNECT_MILLIS);
    config.setAutoCommit(false);
    // A database that is away while a replica starts is waited for by calls, not by the start.
    config.setInitializationFailTimeout(-1);
    Planted planted = Planted.valueOf(arguments[5]);
    try (HikariDataSource pool = new HikariDataSource(config);
        ServiceServer server =
            ServiceServer.open(
                ServerOptions.of(arguments[0])
                    .withAddress(Addresses.parseOne("address", arguments[1]))
                    .withDatabase(planted.in(pool))
                    .withRetention(RETENTION)
                    .withManager(Addresses.parse("managers", arguments[2])))) {
      server.export(
          OracleReplica.SERVICE, Accounts.class, new DatabaseAccounts(() -> 0), Style.WARM_PASSIVE);
      new CountDownLatch(1).await();
    }
  }
}
