package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Style;
import org.terrace.invocation.CallKey;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.method.MethodTable;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Middlewares;
import org.terrace.testing.Await;

/** The words that are told of an update under a key, and whether they stay true. */
@Tag("real-processes")
@Tag("untimed")
class KeyedOutcomeTest extends KeyedAccount {
  private static final Duration SOON = Duration.ofMillis(500);

  /** MariaDB shows who waits as of when somebody looked, until nobody looks for 100 ms. */
  private static final long BETWEEN_LOOKS_MILLIS = 150;

  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void aQuestionThatIsNotAnsweredSaysNothingOfTheKey() throws Exception {
    ServiceServer server = replica(pool, new AccountService());
    try (server;
        ServiceClient client = client(server)) {
      assertThat(client.stub(Account.class, "account", KEY).add(5)).isEqualTo(5);
    }
    try (ServiceClient client = client(server, SOON)) {
      for (Account account :
          List.of(
              client.retained(Account.class, "account", KEY),
              client.stub(Account.class, "account", KEY))) {
        assertThatThrownBy(() -> account.add(5)).satisfies(outcome(Outcome.UNKNOWN));
      }
    }
  }

  @Test
  void aReplicaThatIsOverloadedSaysNothingOfTheKey() throws Exception {
    AccountService service = new AccountService();
    try (ServiceServer server = ServiceServer.open(options("one", pool).withCallsMax(1));
        ServiceClient client = client(server);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      server.export("account", Account.class, service, Style.WARM_PASSIVE);
      assertThat(client.stub(Account.class, "account", KEY).add(5)).isEqualTo(5);
      Account other = client.stub(Account.class, "account");
      Future<Integer> slow = threads.submit(() -> other.addAfterTheGate(1));
      service.entered.await();
      Account asked = client.retained(Account.class, "account", KEY);
      assertThatThrownBy(() -> asked.add(5)).satisfies(outcome(Outcome.UNKNOWN, "overload"));
      service.gate.countDown();
      assertThat(slow.get()).isEqualTo(6);
      assertThat(asked.add(5)).isEqualTo(5);
    }
  }

  /** A service whose first call fails after the gate. */
  private static final class FailingOnce extends AccountService {
    private final AtomicBoolean failed = new AtomicBoolean();

    @Override
    public int addAfterTheGate(int amount) throws Exception {
      boolean fails = failed.compareAndSet(false, true);
      int sum = super.addAfterTheGate(amount);
      if (fails) {
        throw new IllegalStateException("the first call fails");
      }
      return sum;
    }
  }

  @Test
  void nobodyIsToldThatTheUpdateWasRolledBackWhileAnotherAttemptOfTheKeyMayRun() throws Exception {
    AccountService service = new FailingOnce();
    try (ServiceServer server = replica(pool, service);
        ServiceClient client = client(server);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Account account = client.stub(Account.class, "account", KEY);
      Future<Integer> first = threads.submit(() -> account.addAfterTheGate(5));
      service.entered.await();
      Future<Integer> second = threads.submit(() -> account.addAfterTheGate(5));
      assertThat(Await.until(LONG, () -> server.callsUnderWay() == 2)).isTrue();
      service.gate.countDown();

      assertThat(second.get()).isEqualTo(5);
      assertThatThrownBy(first::get)
          .isInstanceOf(ExecutionException.class)
          .satisfies(failure ->
              outcome(Outcome.UNKNOWN, "the first call fails").accept(failure.getCause()));
      assertThat(balance()).isEqualTo(5);
    }
  }

  @Test
  void whatWasAskedForIsFinalForAttemptsThatArriveLaterToo() throws Exception {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient client = client(server);
        CallChannel late = Middlewares.byName("terrace").connect(server.endpoint(), LONG)) {
      Account asked = client.retained(Account.class, "account", KEY);
      assertThatThrownBy(() -> asked.add(5))
          .satisfies(outcome(Outcome.NOT_EXECUTED, "was asked for before it was executed"));

      assertThat(late.call(attempt(5), LONG).status().name()).isEqualTo("WITHDRAWN");
      for (Account account : List.of(client.stub(Account.class, "account", KEY), asked)) {
        assertThatThrownBy(() -> account.add(5)).satisfies(outcome(Outcome.NOT_EXECUTED));
      }
      assertThat(balance()).isZero();
      CallKey other = new CallKey(KEY.created(), "order-17, again");
      assertThat(client.stub(Account.class, "account", other).add(5)).isEqualTo(5);
    }
  }

  @Test
  void aKeyIsWithdrawnWhateverWasAskedUnderIt() throws Exception {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient client = client(server)) {
      Account asked = client.retained(Account.class, "account", KEY);
      assertThatThrownBy(() -> asked.add(6)).satisfies(outcome(Outcome.NOT_EXECUTED));

      Account called = client.stub(Account.class, "account", KEY);
      String withdrawn = "was asked for before it was executed";
      assertThatThrownBy(() -> called.add(5)).satisfies(outcome(Outcome.NOT_EXECUTED, withdrawn));
      assertThatThrownBy(() -> asked.add(5)).satisfies(outcome(Outcome.NOT_EXECUTED, withdrawn));
      assertThatThrownBy(() -> called.refuse(5))
          .satisfies(outcome(Outcome.NOT_EXECUTED, withdrawn));
      assertThat(balance()).isZero();
    }
  }

  private static CallRequest attempt(int amount) throws Exception {
    var method = MethodTable.of(Account.class).get(Account.class.getMethod("add", int.class));
    return new CallRequest(
        "account",
        method.wireName(),
        KEY.identity("account"),
        CallRequest.NONE_ACKNOWLEDGED,
        LONG.toNanos(),
        true,
        method.encodeArguments(new Object[] {amount}));
  }

  @Test
  void aQuestionUsesItsKeySoThatItsHourIsRetainedAndTheOtherKeysOfItRun() throws Exception {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceClient client = client(server)) {
      for (int i = 0; i < 3; i++) {
        Account asked = client.retained(Account.class, "account", KEY);
        assertThatThrownBy(() -> asked.add(5)).satisfies(outcome(Outcome.NOT_EXECUTED));
      }
      assertThat(number("SELECT count(*) FROM terrace_client WHERE watermark = 1")).isEqualTo(1);
      assertThat(number("SELECT count(*) FROM terrace_reply")).isEqualTo(1);
      CallKey other = new CallKey(KEY.created(), "order-18");
      assertThat(client.stub(Account.class, "account", other).add(5)).isEqualTo(5);
    }
  }

  @Test
  void aQuestionWaitsForTheAttemptThatIsUnderWay() throws Exception {
    AccountService service = new AccountService();
    try (ServiceServer server = replica(pool, service);
        ServiceServer other = ServiceServer.open(options("two", pool));
        ServiceClient client = client(server);
        ServiceClient asker = client(other);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      other.export("account", Account.class, new AccountService(), Style.WARM_PASSIVE);
      Account called = client.stub(Account.class, "account", KEY);
      Future<Integer> first = threads.submit(() -> called.addAfterTheGate(5));
      service.entered.await();
      Account asked = asker.retained(Account.class, "account", KEY);
      Future<Integer> answer = threads.submit(() -> asked.addAfterTheGate(5));
      while (number(database.countWaiting()) == 0) {
        assertThat(answer.isDone()).isFalse();
        new CountDownLatch(1).await(BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
      }
      service.gate.countDown();
      assertThat(first.get()).isEqualTo(5);
      assertThat(answer.get()).isEqualTo(5);
    }
  }

  @Test
  void whoCallsAndWhoAsksAtOnceAreToldTheSame() throws Exception {
    try (ServiceServer server = replica(pool, new AccountService());
        ServiceServer second = ServiceServer.open(options("two", pool));
        ServiceClient client = client(server);
        ServiceClient asker = client(second);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      second.export("account", Account.class, new AccountService(), Style.WARM_PASSIVE);
      for (int round = 0; round < 30; round++) {
        CallKey key = new CallKey(KEY.created(), "order-" + round);
        int before = balance();
        CyclicBarrier start = new CyclicBarrier(2);
        Account called = client.stub(Account.class, "account", key);
        Account asked = asker.retained(Account.class, "account", key);
        Future<Boolean> one = threads.submit(() -> isDone(start, () -> called.add(1)));
        Future<Boolean> two = threads.submit(() -> isDone(start, () -> asked.add(1)));
        assertThat(two.get()).isEqualTo(one.get());
        assertThat(balance() - before).isEqualTo(one.get() ? 1 : 0);
      }
    }
  }

  private static boolean isDone(CyclicBarrier start, Callable<Integer> call) throws Exception {
    start.await();
    try {
      call.call();
      return true;
    } catch (InvocationException e) {
      assertThat(e.outcome()).isEqualTo(Outcome.NOT_EXECUTED);
      return false;
    }
  }
}
