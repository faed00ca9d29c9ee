package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Decoder;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Middlewares;
import org.terrace.testing.Seeds;

/**
 * One client, worse than any real one: it sends many requests to both replicas at once, sends
 * requests that were answered long ago again, and gives up on none.
 */
final class OracleCaller implements Runnable {
  private static final Duration TIMEOUT = Duration.ofMillis(150);
  private static final long PAUSE_NANOS = 3_000_000;
  private static final int LARGEST_AMOUNT = 100;
  private static final double SENT_TWICE = 0.3;
  private static final double SENT_LATE = 0.1;
  private static final int LATE_BY = 20;

  private final RandomGenerator random;
  private final List<Endpoint> replicas;
  private final OracleClient.Log log;
  private final long client;
  private final ServiceMethod add = MethodTable.of(Accounts.class).methods().iterator().next();
  private final Map<Endpoint, CallChannel> channels = new ConcurrentHashMap<>();
  private final CallRequest[] earlier = new CallRequest[LATE_BY];
  private volatile boolean ended;

  OracleCaller(long seed, List<Endpoint> replicas, OracleClient.Log log) {
    this.random = Seeds.generator(seed);
    this.replicas = replicas;
    this.log = log;
    this.client = random.nextLong();
  }

  void end() {
    ended = true;
  }

  @Override
  public void run() {
    for (long sequence = 1; !ended; sequence++) {
      int account = random.nextInt(DatabaseAccounts.ACCOUNTS);
      long amount = 1L + random.nextInt(LARGEST_AMOUNT);
      CallRequest request =
          new CallRequest(
              OracleReplica.SERVICE,
              add.wireName(),
              new RequestIdentity(client, sequence),
              sequence,
              TIMEOUT.toNanos(),
              true,
              add.encodeArguments(new Object[] {account, amount, client, sequence}));
      log.line(client + " " + sequence + " sent " + amount);
      Thread copy = null;
      if (random.nextDouble() < SENT_TWICE) {
        Endpoint other = replicas.get(random.nextInt(replicas.size()));
        copy = Thread.ofVirtual().start(() -> record("copy", request, attempt(other, request)));
      }
      CallReply reply;
      do {
        reply = attempt(replicas.get(random.nextInt(replicas.size())), request);
      } while (!isFinal(reply));
      record("reply", request, reply);
      sendLate(sequence);
      earlier[(int) (sequence % LATE_BY)] = request;
      if (copy != null) {
        join(copy);
      }
    }
    channels.values().forEach(CallChannel::close);
  }

  private void sendLate(long sequence) {
    CallRequest request = earlier[(int) (sequence % LATE_BY)];
    if (request != null && random.nextDouble() < SENT_LATE) {
      record("late", request, attempt(replicas.get(random.nextInt(replicas.size())), request));
    }
  }

  private static boolean isFinal(@Nullable CallReply reply) {
    return reply != null && (reply.status() == Status.RESULT || reply.status() == Status.REFUSED);
  }

  /** Writes down what is known of a request's reply; other than final replies tell nothing. */
  private void record(String kind, CallRequest request, @Nullable CallReply reply) {
    if (isFinal(reply)) {
      log.line(client + " " + request.identity().sequence() + " " + kind + " " + value(reply));
    } else if (reply != null && reply.status() == Status.REJECTED) {
      log.line(client + " " + request.identity().sequence() + " " + kind + " rejected");
    }
  }

  private String value(CallReply reply) {
    return reply.status() == Status.REFUSED
        ? new Decoder(reply.body()).getString()
        : String.valueOf(add.decodeResult(reply.body()));
  }

  private @Nullable CallReply attempt(Endpoint replica, CallRequest request) {
    try {
      CallReply reply = channel(replica).call(request, TIMEOUT);
      if (switch (reply.status()) {
        case FAILED, ROLLED_BACK, UNAVAILABLE, IN_DOUBT, NOT_PRIMARY -> true;
        case RESULT, REFUSED, REJECTED, DRAINING, FORGOTTEN, WITHDRAWN -> false;
      }) {
        LockSupport.parkNanos(PAUSE_NANOS);
      } else if (reply.status() == Status.REJECTED) {
        System.err.println(
            request.identity() + ": " + new String(reply.body(), StandardCharsets.UTF_8));
      }
      return reply;
    } catch (CallFailedException | IOException e) {
      LockSupport.parkNanos(PAUSE_NANOS);
      return null;
    }
  }

  private CallChannel channel(Endpoint replica) throws IOException {
    CallChannel open = channels.get(replica);
    if (open != null && open.isOpen()) {
      return open;
    }
    CallChannel fresh = Middlewares.byName(replica.middleware()).connect(replica, TIMEOUT);
    CallChannel old = channels.put(replica, fresh);
    if (old != null) {
      old.close();
    }
    return fresh;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
