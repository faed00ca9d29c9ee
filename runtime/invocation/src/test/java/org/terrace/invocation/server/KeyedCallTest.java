package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Style;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.CallKey;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.retention.RetentionOptions;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Middlewares;
import org.terrace.testing.Await;

/** Updates under keys of their callers, and calls whose turn comes too late. */
@Tag("real-processes")
@Tag("untimed")
class KeyedCallTest extends KeyedAccount {
  private static final Duration SHORT = Duration.ofMillis(300);

  @Test
  void anotherClientAtAnotherServerGetsTheReplyOfTheFirstAndNothingIsDoneTwice() throws Exception {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient client = client(server)) {
      assertThat(client.stub(Account.class, "account", KEY).add(5)).isEqualTo(5);
      assertThat(client.stub(Account.class, "account").add(1)).as("without a key").isEqualTo(6);
      assertThat(client.stub(Account.class, "account", KEY).add(5)).isEqualTo(5);
    }
    try (ServiceServer later = replica(pool, new AccountService());
        ServiceClient other = client(later)) {
      CallKey read = CallKey.parse(KEY.toString());
      assertThat(other.stub(Account.class, "account", read).add(5)).isEqualTo(5);
      assertThat(other.retained(Account.class, "account", read).add(5)).isEqualTo(5);
      assertThat(balance()).isEqualTo(6);
    }
  }

  @Test
  void afterAnUnknownOutcomeTheCallerLearnsItByTheKey() throws Exception {
    AccountService service = new AccountService();
    try (ServiceServer server = replica(pool, service);
        ServiceClient hasty = client(server, SHORT);
        ServiceClient patient = client(server)) {
      Account first = hasty.stub(Account.class, "account", KEY);
      assertThatThrownBy(() -> first.addAfterTheGate(5)).satisfies(outcome(Outcome.UNKNOWN));
      service.gate.countDown();

      assertThat(patient.stub(Account.class, "account", KEY).addAfterTheGate(5)).isEqualTo(5);
      assertThat(balance()).isEqualTo(5);
    }
  }

  @Test
  void aRefusalIsRetainedUnderAKeyToo() {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient client = client(server)) {
      for (Account account :
          List.of(
              client.stub(Account.class, "account", KEY),
              client.retained(Account.class, "account", KEY))) {
        assertThatThrownBy(() -> account.refuse(5)).isInstanceOf(BusinessException.class);
      }
    }
  }

  @Test
  void aKeyWhoseRetentionIsOverIsRefusedForEverAndNotExecuted() throws Exception {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient client = client(server)) {
      Account account = client.stub(Account.class, "account", KEY);
      assertThat(account.add(5)).isEqualTo(5);
      execute("UPDATE terrace_client SET watermark = " + Long.MAX_VALUE);
      execute("DELETE FROM terrace_reply");
      for (Account each : List.of(account, client.retained(Account.class, "account", KEY))) {
        assertThatThrownBy(() -> each.add(5))
            .satisfies(
                outcome(
                    Outcome.UNKNOWN,
                    "The retention of key " + KEY + " is over",
                    "was not executed now",
                    "not known any more"));
      }
      assertThat(balance()).isEqualTo(5);
    }
  }

  @Test
  void aKeyIsOfOneUpdateWithItsArguments() throws Exception {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient client = client(server)) {
      Account account = client.stub(Account.class, "account", KEY);
      assertThat(account.add(5)).isEqualTo(5);
      assertThatThrownBy(() -> account.add(6))
          .satisfies(outcome(Outcome.UNKNOWN, "give each request a key of its own"));
      assertThatThrownBy(account::balance)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is a read");
      assertThat(balance()).isEqualTo(5);
    }
  }

  @Test
  void setsAndMapsAreTheSameArgumentsInWhateverOrderTheyAreFound() throws Exception {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient client = client(server)) {
      for (List<String> names : List.of(List.of("a", "b", "c"), List.of("c", "a", "b"))) {
        Map<String, Integer> amounts = new LinkedHashMap<>();
        names.forEach(name -> amounts.put(name, 2));
        Account account = client.stub(Account.class, "account", KEY);
        assertThat(account.addAll(new LinkedHashSet<>(names), amounts)).isEqualTo(6);
      }
      assertThat(balance()).isEqualTo(6);
    }
  }

  @Test
  void manyWhoAskAtOnceUnderOneKeyHaveOneEffect() throws Exception {
    List<Future<Integer>> replies = new ArrayList<>();
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient one = client(server);
        ServiceClient two = client(server);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        Account account = (i % 2 == 0 ? one : two).stub(Account.class, "account", KEY);
        replies.add(threads.submit(() -> account.add(5)));
      }
      for (Future<Integer> reply : replies) {
        assertThat(reply.get()).isEqualTo(5);
      }
      assertThat(balance()).isEqualTo(5);
    }
  }

  @Test
  void noKeyOfAnHourAcknowledgesTheReplyOfAnother() throws Exception {
    RetentionOptions prompt = AT_LEISURE.withLease(Duration.ofHours(1), Duration.ofMillis(20));
    try (ServiceServer server = ServiceServer.open(options("one", pool).withRetention(prompt));
        ServiceClient client = client(server)) {
      server.export("account", Account.class, new AccountService(), Style.WARM_PASSIVE);
      for (int round = 0; round < 2; round++) {
        for (int i = 1; i <= 10; i++) {
          CallKey key = new CallKey(KEY.created(), "order-" + i);
          assertThat(client.stub(Account.class, "account", key).add(1)).isEqualTo(i);
        }
        assertThat(number("SELECT count(*) FROM terrace_client WHERE watermark <= 1")).isEqualTo(1);
        execute("UPDATE terrace_client SET lease_until = '2000-01-01'");
        client.retained(Account.class, "account", new CallKey(KEY.created(), "order-1")).add(1);
        assertThat(Await.until(Duration.ofSeconds(20), this::isRenewed)).isTrue();
      }
      assertThat(number("SELECT count(*) FROM terrace_reply")).isEqualTo(10);
    }
  }

  /** Whether a collection has renewed the lease since. */
  private boolean isRenewed() {
    try {
      return number("SELECT count(*) FROM terrace_client WHERE lease_until > '2001-01-01'") == 1;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aServiceThatKeepsNoRepliesInADatabaseRefusesKeys() {
    try (ServiceServer server = ServiceServer.open(ServerOptions.of("one").withUnsharedReplies())) {
      server.export("account", Account.class, new AccountService(), Style.WARM_PASSIVE);
      try (ServiceClient client = client(server)) {
        assertThatThrownBy(() -> client.stub(Account.class, "account", KEY).refuse(1))
            .satisfies(outcome(Outcome.UNKNOWN, "retains no replies under keys"));
      }
    }
  }

  @Test
  void aCallWhoseTurnComesAfterItsDeadlineIsNotExecutedAndSaysSo() throws Exception {
    AccountService service = new AccountService();
    try (HikariDataSource narrow = database.pool(1);
        ServiceServer server = replica(narrow, service);
        ServiceClient client = client(server);
        ServiceClient hasty = client(server, SHORT);
        CallChannel raw =
            Middlewares.byName("terrace").connect(server.endpoint(), Duration.ofSeconds(5));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Account slow = client.stub(Account.class, "account");
      Future<Integer> first = threads.submit(() -> slow.addAfterTheGate(1));
      service.entered.await();
      Future<CallReply> late =
          threads.submit(() -> raw.call(add(10, SHORT), Duration.ofSeconds(20)));
      assertThat(Await.until(Duration.ofSeconds(20), () -> server.callsUnderWay() == 2)).isTrue();
      Account account = hasty.stub(Account.class, "account", KEY);
      assertThatThrownBy(() -> account.add(100)).satisfies(outcome(Outcome.UNKNOWN));
      // The server counts the time of each from its arrival, which may be late.
      assertThat(Await.until(SHORT.multipliedBy(2), () -> false)).isFalse();
      service.gate.countDown();

      assertThat(first.get()).isEqualTo(1);
      assertThat(late.get().status()).isEqualTo(CallReply.Status.REJECTED);
      assertThat(new String(late.get().body(), StandardCharsets.UTF_8))
          .contains("its deadline had passed", "not executed");
      assertThat(Await.until(Duration.ofSeconds(20), () -> server.callsUnderWay() == 0)).isTrue();
      assertThatThrownBy(() -> client.retained(Account.class, "account", KEY).add(100))
          .satisfies(outcome(Outcome.NOT_EXECUTED));
      assertThat(balance()).isEqualTo(1);
    }
  }

  private static CallRequest add(int amount, Duration remaining) throws Exception {
    var method = MethodTable.of(Account.class).get(Account.class.getMethod("add", int.class));
    return new CallRequest(
        "account",
        method.wireName(),
        new RequestIdentity(77, 1),
        1,
        remaining.toNanos(),
        true,
        method.encodeArguments(new Object[] {amount}));
  }
}
