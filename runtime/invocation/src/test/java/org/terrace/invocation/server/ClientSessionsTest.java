package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.FailOverOptions;
import org.terrace.invocation.Invocation;
import org.terrace.invocation.Update;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.PostgresDatabase;

@Tag("real-processes")
@Tag("untimed")
class ClientSessionsTest {
  private static final int CALLS = 5;

  /** A service whose effects are rows. */
  public interface Accounts {
    @Update
    int append(int amount) throws SQLException;
  }

  private static final class AccountsService implements Accounts {
    @Override
    public int append(int amount) throws SQLException {
      Connection connection = Invocation.current().connection();
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("INSERT INTO accounts VALUES (" + amount + ")");
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM accounts")) {
          row.next();
          return row.getInt(1);
        }
      }
    }
  }

  @Test
  void withoutPoolAndTrustEachClientHasAConnectionAndIsLookedUp() throws Exception {
    try (PostgresDatabase postgres = start();
        HikariDataSource pool = postgres.pool(8)) {
      run(pool, "CREATE TABLE accounts (amount INT)");
      ServerOptions options =
          ServerOptions.of("server1").withDatabase(pool).withFailOver(FailOverOptions.none());
      try (ServiceServer server = ServiceServer.open(options)) {
        server.export("accounts", Accounts.class, new AccountsService(), Style.WARM_PASSIVE);
        Naming naming =
            Naming.fixed(
                new ServiceReference(
                    "accounts", Style.WARM_PASSIVE, 0, 1, List.of(server.endpoint())));
        for (int i = 0; i < 2; i++) {
          try (ServiceClient stubs = ServiceClient.open(ClientOptions.of(naming))) {
            Accounts accounts = stubs.stub(Accounts.class, "accounts");
            for (int call = 1; call <= CALLS; call++) {
              assertThat(accounts.append(call)).isEqualTo(i * CALLS + call);
            }
            CallRecord first = stubs.attempts().getFirst();
            assertThat(first.steps()).anyMatch(CallStep.Attempt.class::isInstance);
          }
        }

        assertThat(server.sessionsRestored()).isGreaterThanOrEqualTo(2);
        assertThat(count(pool, "terrace_known_client")).isEqualTo(2);
        assertThat(count(pool, "accounts")).isEqualTo(2 * CALLS);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
      }
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  private static PostgresDatabase start() {
    try {
      return PostgresDatabase.start();
    } catch (Exception e) {
      Assumptions.abort("this machine starts no PostgreSQL: " + e.getMessage());
      throw new IllegalStateException(e);
    }
  }

  private static void run(HikariDataSource pool, String statement) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement running = connection.createStatement()) {
      running.execute(statement);
      connection.commit();
    }
  }

  private static int count(HikariDataSource pool, String table) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement running = connection.createStatement();
        ResultSet row = running.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }
}
