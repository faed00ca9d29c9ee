package org.terrace.invocation.retention.oracle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.terrace.control.naming.NamingClient;
import org.terrace.core.TimeSource;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.testing.Seeds;

/**
 * A real client as a process, shared by some threads that call without a pause: {@code
 * ManagedClient SEED THREADS LOG NAMING}. It writes down what it is told of each call, whatever it
 * is. It ends when its input does and its calls are over, or with status 1 when they are not a
 * minute later.
 */
final class ManagedClient {
  private static final Duration LAST_REPLY_WITHIN = Duration.ofMinutes(1);
  private static final int LARGEST_AMOUNT = 100;

  private static final long NANOS_A_MILLI = 1_000_000;
  private static final TimeSource TIME = TimeSource.system();

  private ManagedClient() {}

  public static void main(String[] arguments) throws Exception {
    RandomGenerator seeds = Seeds.generator(Long.parseLong(arguments[0]));
    OracleClient.Log log = new OracleClient.Log(Path.of(arguments[2]));
    AtomicBoolean ended = new AtomicBoolean();
    ServiceClient client =
        ServiceClient.open(
            ClientOptions.of(NamingClient.open(arguments[3])).withDeadline(Doubts.DEADLINE));
    Accounts accounts = client.stub(Accounts.class, OracleReplica.SERVICE);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      RandomGenerator random = Seeds.generator(seeds.nextLong());
      running.add(Thread.ofVirtual().start(() -> call(accounts, random, log, ended)));
    }
    while (System.in.read() >= 0) {
      // What comes does not matter, only the end.
    }
    ended.set(true);
    boolean answered = true;
    for (Thread thread : running) {
      answered &= thread.join(LAST_REPLY_WITHIN);
    }
    System.exit(answered ? 0 : 1);
  }

  private static void call(
      Accounts accounts, RandomGenerator random, OracleClient.Log log, AtomicBoolean ended) {
    long caller = random.nextLong();
    for (long call = 1; !ended.get(); call++) {
      long amount = 1L + random.nextInt(LARGEST_AMOUNT);
      int account = random.nextInt(DatabaseAccounts.ACCOUNTS);
      log.line(caller + " " + call + " sent " + amount);
      log.line(caller + " " + call + " " + told(accounts, account, amount, caller, call));
    }
  }

  private static String told(Accounts accounts, int account, long amount, long caller, long call) {
    long startNanos = TIME.elapsedNanos();
    try {
      return "reply " + accounts.add(account, amount, caller, call);
    } catch (BusinessException refusal) {
      return "reply " + refusal.code();
    } catch (InvocationException failure) {
      String word =
          switch (failure.outcome()) {
            case NOT_EXECUTED, ROLLED_BACK -> "without ";
            case UNKNOWN, DONE ->
                "unsure " + (TIME.elapsedNanos() - startNanos) / NANOS_A_MILLI + " ";
          };
      return word + String.valueOf(failure.getMessage()).replace('\n', ' ');
    }
  }
}
