package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.Invocation;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Update;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.RetentionOptions;
import org.terrace.testing.Await;

/** The outcome that a caller is told of when something goes wrong on the way to its effect. */
@Tag("real-processes")
@Tag("untimed")
class OutcomeTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** An account that can be made to fail. */
  interface Account {
    @Update
    int add(int amount) throws SQLException;

    @Update
    int addNothingSlowly() throws SQLException;

    @Update
    String giveMuch(int bytes) throws SQLException;

    @Update
    int addAndThrow(int amount) throws SQLException;

    @Update
    int addAndOverflow(int amount) throws SQLException;
  }

  private static final class AccountService implements Account {
    @Override
    public int add(int amount) throws SQLException {
      try (var statement = Invocation.current().connection().createStatement()) {
        statement.executeUpdate("UPDATE account SET balance = balance + " + amount);
        try (var row = statement.executeQuery("SELECT balance FROM account")) {
          row.next();
          return row.getInt(1);
        }
      }
    }

    @Override
    public int addNothingSlowly() throws SQLException {
      try (var statement = Invocation.current().connection().createStatement()) {
        statement.execute("SELECT pg_sleep(0.3)");
      }
      return 0;
    }

    @Override
    public String giveMuch(int bytes) throws SQLException {
      add(1);
      return "x".repeat(bytes);
    }

    @Override
    public int addAndThrow(int amount) throws SQLException {
      throw new IllegalStateException("a bug after " + add(amount));
    }

    @Override
    public int addAndOverflow(int amount) throws SQLException {
      add(amount);
      return overflow(amount) + 1;
    }

    private static int overflow(int depth) {
      return depth == Integer.MIN_VALUE ? 0 : overflow(depth + 1) + 1;
    }
  }

  private static PostgresDatabase postgres;
  private static HikariDataSource pool;

  @BeforeAll
  static void start() throws Exception {
    postgres = PostgresDatabase.start();
    pool = postgres.pool(8);
    pool.setConnectionTimeout(1_000);
    execute("CREATE TABLE account (balance int NOT NULL)");
  }

  @AfterAll
  static void stop() {
    pool.close();
    postgres.close();
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
      connection.commit();
    }
  }

  private static int balance() throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT balance FROM account")) {
      row.next();
      return row.getInt(1);
    }
  }

  private interface Body {
    void run(Account account, ServiceClient client, ServiceServer primary) throws Exception;
  }

  /** Calls over two replicas. */
  private static void withReplicas(RetentionOptions retention, Body body) throws Exception {
    execute("DELETE FROM account");
    execute("INSERT INTO account VALUES (0)");
    try (ServiceServer first = replica("first", retention);
        ServiceServer second = replica("second", retention);
        ServiceClient client =
            ServiceClient.open(
                ClientOptions.of(
                        Naming.fixed(
                            "account", Style.WARM_PASSIVE, first.endpoint(), second.endpoint()))
                    .withoutHedging()
                    .withDeadline(LIMIT))) {
      body.run(client.stub(Account.class, "account"), client, first);
    }
  }

  private static ServiceServer replica(String name, RetentionOptions retention) {
    ServiceServer server =
        ServiceServer.open(
            ServerOptions.of(name)
                .withDatabase(pool)
                .withRetention(retention)
                .withHealthPatience(Duration.ofSeconds(1)));
    server.export("account", Account.class, new AccountService(), Style.WARM_PASSIVE);
    return server;
  }

  private static Consumer<InvocationException> outcome(Outcome outcome) {
    return failure -> assertThat(failure.outcome()).as(failure.getMessage()).isEqualTo(outcome);
  }

  @Test
  void aMethodThatThrowsIsRolledBackAndSaidToBe() throws Exception {
    withReplicas(
        RetentionOptions.defaults(),
        (account, client, primary) -> {
          assertThatThrownBy(() -> account.addAndThrow(5))
              .isInstanceOfSatisfying(InvocationException.class, outcome(Outcome.ROLLED_BACK));
          assertThat(balance()).isZero();
          assertThat(account.add(5)).isEqualTo(5);
        });
  }

  @Test
  @Tag("long")
  void anErrorCostsItsOwnCallAlone() throws Exception {
    withReplicas(
        RetentionOptions.defaults(),
        (account, client, primary) -> {
          assertThat(account.add(1)).isEqualTo(1);
          assertThatThrownBy(() -> account.addAndOverflow(5))
              .isInstanceOfSatisfying(InvocationException.class, outcome(Outcome.ROLLED_BACK));
          assertThat(account.add(1)).isEqualTo(2);
          assertThat(client.attempts().getLast().steps())
              .as("the replica is there: one may be slower than another, none is lost")
              .allSatisfy(step ->
                  assertThat(((CallStep.Attempt) step).ending())
                      .isIn(CallStep.Ending.ANSWERED, CallStep.Ending.OVERTAKEN));
        });
  }

  @Test
  @Tag("long")
  void aRestartOfTheDatabaseWithinTheDeadlineEndsInDone() throws Exception {
    withReplicas(
        RetentionOptions.defaults(),
        (account, client, primary) -> {
          assertThat(account.add(1)).isEqualTo(1);
          postgres.server().stop();
          assertThat(Await.until(LIMIT, () -> !primary.isHealthy()))
              .as("unhealthy without database")
              .isTrue();
          Thread starter =
              Thread.ofVirtual()
                  .start(() -> {
                    pause(Duration.ofMillis(700));
                    postgres.server().start();
                  });
          assertThat(account.add(1)).isEqualTo(2);
          starter.join();
          assertThat(Await.until(LIMIT, primary::isHealthy)).as("healthy again").isTrue();
        });
  }

  /**
   * The check of the database waits behind the calls for the same pool, which is no failure: they
   * take 6 s in all, and the patience is 4 s.
   */
  @Test
  @Tag("long")
  void aReplicaWhoseCallsTakeAllConnectionsOfItsPoolIsHealthy() throws Exception {
    int callers = 40;
    try (HikariDataSource two = postgres.pool(2);
        ServiceServer server =
            ServiceServer.open(
                ServerOptions.of("busy")
                    .withDatabase(two)
                    .withHealthPatience(Duration.ofSeconds(4)));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      server.export("account", Account.class, new AccountService(), Style.NONE);
      try (ServiceClient client =
          ServiceClient.open(
              ClientOptions.of(Naming.fixed("account", Style.NONE, server.endpoint()))
                  .withDeadline(LIMIT)
                  .withoutHedging())) {
        Account account = client.stub(Account.class, "account");
        List<Future<Integer>> replies = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
          replies.add(threads.submit(account::addNothingSlowly));
        }
        while (!replies.stream().allMatch(Future::isDone)) {
          assertThat(server.isHealthy()).isTrue();
          pause(Duration.ofMillis(20));
        }
        for (Future<Integer> reply : replies) {
          assertThat(reply.get()).isZero();
        }
      }
    }
  }

  @Test
  void aReplyThatCannotBeSentIsRolledBack() throws Exception {
    withReplicas(
        RetentionOptions.defaults(),
        (account, client, primary) -> {
          assertThatThrownBy(() -> account.giveMuch(16 << 20))
              .isInstanceOfSatisfying(InvocationException.class, outcome(Outcome.ROLLED_BACK))
              .hasMessageContaining("too large to be sent");
          assertThat(balance()).isZero();
        });
  }

  @Test
  @Tag("long")
  void anOpenClientStaysKnownHoweverIdle() throws Exception {
    Duration lease = Duration.ofSeconds(4);
    withReplicas(
        RetentionOptions.defaults().withLease(lease, Duration.ofMillis(50)),
        (account, client, primary) -> {
          assertThat(account.add(1)).isEqualTo(1);
          long number = client.client();
          pause(lease.multipliedBy(3));
          assertThat(account.add(1)).isEqualTo(2);
          assertThat(client.client()).isEqualTo(number);
        });
  }

  @Test
  void aClientThatWasForgottenGetsANewNumberByItself() throws Exception {
    withReplicas(
        RetentionOptions.defaults(),
        (account, client, primary) -> {
          assertThat(account.add(1)).isEqualTo(1);
          long number = client.client();
          execute("UPDATE terrace_client SET watermark = " + Long.MAX_VALUE);
          assertThat(account.add(1)).isEqualTo(2);
          assertThat(client.client()).isNotEqualTo(number);
          assertThat(account.add(1)).isEqualTo(3);
        });
  }

  private static void pause(Duration duration) {
    try {
      new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
