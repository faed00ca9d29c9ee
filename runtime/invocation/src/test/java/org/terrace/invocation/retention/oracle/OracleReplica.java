package org.terrace.invocation.retention.oracle;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Scanner;
import org.terrace.control.Style;
import org.terrace.invocation.retention.RetainedExecution;
import org.terrace.invocation.retention.RetentionOptions;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;

/**
 * A replica as a process: {@code OracleReplica NAME HOST PORT URL USER EPOCH PLANTED}. Each line of
 * its input is a newer epoch; it ends with its input.
 */
final class OracleReplica {
  static final String SERVICE = "accounts";
  private static final int CONNECTIONS = 12;
  private static final long CONNECT_MILLIS = 2_000;
  private static final RetentionOptions OPTIONS =
      RetentionOptions.defaults()
          .withLease(Duration.ofMinutes(30), Duration.ofMillis(50))
          .withLimits(Duration.ofMillis(300), Duration.ofSeconds(2));

  private OracleReplica() {}

  public static void main(String[] arguments) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[3]);
    config.setUsername(arguments[4]);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(CONNECT_MILLIS);
    config.setAutoCommit(false);
    Planted planted = Planted.valueOf(arguments[6]);
    CallEpoch[] epochs = new CallEpoch[1];
    try (HikariDataSource pool = new HikariDataSource(config);
        ServiceServer server =
            ServiceServer.open(
                ServerOptions.of(arguments[0])
                    .withAddress(
                        new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2])))
                    .withExecution((service, epoch) -> {
                      epochs[0] = new CallEpoch(epoch);
                      return RetainedExecution.open(
                          planted.in(pool), OPTIONS, planted.epoch(epochs[0]));
                    }))) {
      server.appoint(SERVICE, Long.parseLong(arguments[5]));
      server.export(
          SERVICE,
          Accounts.class,
          new DatabaseAccounts(() -> epochs[0].ofCall()),
          Style.WARM_PASSIVE);
      System.out.println("ready");
      Scanner lines = new Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
      while (lines.hasNextLong()) {
        server.appoint(SERVICE, lines.nextLong());
      }
    }
  }
}
