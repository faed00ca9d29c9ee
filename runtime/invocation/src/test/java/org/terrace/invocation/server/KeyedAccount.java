package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.CallKey;
import org.terrace.invocation.Invocation;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.RetentionOptions;
import org.terrace.invocation.retention.TestDatabase;

/** An account in a database, whose service is called under keys. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KeyedAccount {
  /** Limits that no call reaches while it stands at the gate, however busy the machine. */
  static final RetentionOptions AT_LEISURE =
      RetentionOptions.defaults().withLimits(Duration.ofSeconds(30), Duration.ofSeconds(60));

  static final CallKey KEY = new CallKey(Instant.parse("2026-05-01T12:00:00Z"), "order-17");

  /** An account that can be made to wait. */
  interface Account {
    @Update
    int add(int amount) throws SQLException;

    @Update
    int addAfterTheGate(int amount) throws Exception;

    @Update
    int refuse(int amount);

    @Update
    int addAll(Set<String> names, Map<String, Integer> amounts) throws SQLException;

    @Read
    int balance() throws SQLException;
  }

  static class AccountService implements Account {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch gate = new CountDownLatch(1);

    @Override
    public int add(int amount) throws SQLException {
      try (var statement = Invocation.current().connection().createStatement()) {
        statement.executeUpdate("UPDATE account SET balance = balance + " + amount);
      }
      return balance();
    }

    @Override
    public int addAfterTheGate(int amount) throws Exception {
      entered.countDown();
      gate.await();
      return add(amount);
    }

    @Override
    public int addAll(Set<String> names, Map<String, Integer> amounts) throws SQLException {
      return add(amounts.values().stream().mapToInt(Integer::intValue).sum());
    }

    @Override
    public int refuse(int amount) {
      throw new BusinessException("broke", "There is nothing to take " + amount + " from.");
    }

    @Override
    public int balance() throws SQLException {
      try (var statement = Invocation.current().connection().createStatement();
          var row = statement.executeQuery("SELECT balance FROM account")) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  TestDatabase database;
  HikariDataSource pool;

  /** Starts the database. */
  TestDatabase startDatabase() throws Exception {
    return PostgresDatabase.start();
  }

  @BeforeAll
  void start() throws Exception {
    database = startDatabase();
    pool = database.pool(8);
    execute("CREATE TABLE account (balance int NOT NULL)");
    execute("INSERT INTO account VALUES (0)");
  }

  @AfterAll
  void stop() {
    if (database != null) {
      pool.close();
      database.close();
    }
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
      connection.commit();
    }
  }

  int balance() throws SQLException {
    return number("SELECT balance FROM account");
  }

  int number(String query) throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(query)) {
      row.next();
      return row.getInt(1);
    }
  }

  @BeforeEach
  void empty() throws SQLException {
    execute("UPDATE account SET balance = 0");
    execute("DROP TABLE IF EXISTS terrace_reply, terrace_client, terrace_epoch");
  }

  static ServiceServer replica(HikariDataSource database, AccountService service) {
    ServiceServer server = ServiceServer.open(options("one", database));
    server.export("account", Account.class, service, Style.WARM_PASSIVE);
    return server;
  }

  static ServerOptions options(String name, HikariDataSource database) {
    return ServerOptions.of(name).withDatabase(database).withRetention(AT_LEISURE);
  }

  static ServiceClient client(ServiceServer server, Duration deadline) {
    return ServiceClient.open(
        ClientOptions.of(Naming.fixed("account", Style.WARM_PASSIVE, server.endpoint()))
            .withDeadline(deadline));
  }

  static ServiceClient client(ServiceServer server) {
    return client(server, Duration.ofSeconds(20));
  }

  static Consumer<Throwable> outcome(Outcome outcome, String... parts) {
    return failure -> {
      assertThat(failure).isInstanceOf(InvocationException.class);
      for (String part : parts) {
        assertThat(failure).hasMessageContaining(part);
      }
      assertThat(((InvocationException) failure).outcome()).isEqualTo(outcome);
    };
  }
}
