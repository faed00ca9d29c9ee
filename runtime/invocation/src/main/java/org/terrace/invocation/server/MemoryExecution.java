package org.terrace.invocation.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.Execution;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/**
 * An execution that retains replies in this process's memory: an identity takes effect once at this
 * replica while it lives. Thread-safe.
 *
 * <p>A client's replies below its watermark are forgotten when it sends it; an identity below the
 * watermark is stale and rejected. Beyond a bound the clients longest unheard of that have no call
 * under way are forgotten.
 */
final class MemoryExecution implements Execution {
  static final int CLIENTS_MAX = 10_000;
  private static final int REPLIES_MAX = 4_096;

  private static final class Client {
    long firstIncomplete = 1;
    final TreeMap<Long, CompletableFuture<CallReply>> replies = new TreeMap<>();
  }

  @GuardedBy("this")
  private final Map<Long, Client> clients = new LinkedHashMap<>(16, 0.75F, true);

  /** An execution that retains nothing yet. */
  public MemoryExecution() {}

  @SuppressWarnings("ReferenceEquality") // which of two futures it is, not what they hold
  @Override
  public CallReply execute(CallRequest request, Executable work) {
    CompletableFuture<CallReply> mine = new CompletableFuture<>();
    CompletableFuture<CallReply> first = claim(request, mine);
    if (first == null) {
      return CallReply.saying(
          CallReply.Status.REJECTED,
          "request " + request.identity() + " is older than its client still may ask");
    }
    if (first != mine) {
      return first.join();
    }
    CallReply reply = CallReply.saying(CallReply.Status.FAILED, "the call ended without a reply");
    try {
      reply = read(request, work);
    } finally {
      if (!isRetained(reply)) {
        forget(request.identity());
      }
      mine.complete(reply);
    }
    return reply;
  }

  @Override
  public CallReply warmUp(CallRequest request, Executable work) {
    CallReply[] warmedUp = {CallReply.saying(CallReply.Status.FAILED, "the work was not run")};
    CallReply discarded =
        execute(
            request,
            connection -> {
              warmedUp[0] = work.run(connection);
              return CallReply.saying(CallReply.Status.REJECTED, "a warm-up is not retained");
            });
    synchronized (this) {
      clients.remove(request.identity().client());
    }
    return discarded.status() == CallReply.Status.REJECTED ? warmedUp[0] : discarded;
  }

  /** The call's own future if it is the first, that of the first, or null if it is stale. */
  private synchronized @Nullable CompletableFuture<CallReply> claim(
      CallRequest request, CompletableFuture<CallReply> mine) {
    Client client = clients.computeIfAbsent(request.identity().client(), id -> new Client());
    long sequence = request.identity().sequence();
    if (request.firstIncomplete() > client.firstIncomplete) {
      client.firstIncomplete = request.firstIncomplete();
      client.replies.headMap(client.firstIncomplete).clear();
    }
    boolean isStale = sequence < client.firstIncomplete;
    CompletableFuture<CallReply> first =
        isStale ? null : client.replies.putIfAbsent(sequence, mine);
    if (clients.size() > CLIENTS_MAX) {
      forgetOneWithoutCalls();
    }
    if (isStale) {
      return null;
    }
    if (client.replies.size() > REPLIES_MAX) {
      client.firstIncomplete = client.replies.firstKey() + 1;
      client.replies.pollFirstEntry();
    }
    return first == null ? mine : first;
  }

  /** A client that has a call under way and is forgotten would have that run beside itself. */
  @GuardedBy("this")
  private void forgetOneWithoutCalls() {
    for (Iterator<Client> each = clients.values().iterator(); each.hasNext(); ) {
      if (each.next().replies.values().stream().allMatch(CompletableFuture::isDone)) {
        each.remove();
        return;
      }
    }
  }

  synchronized int clients() {
    return clients.size();
  }

  private synchronized void forget(RequestIdentity identity) {
    Client client = clients.get(identity.client());
    if (client != null) {
      client.replies.remove(identity.sequence());
    }
  }

  private static boolean isRetained(CallReply reply) {
    return switch (reply.status()) {
      case RESULT, REFUSED -> true;
      case REJECTED, NOT_PRIMARY, DRAINING, FAILED -> false;
      case ROLLED_BACK, UNAVAILABLE, IN_DOUBT, FORGOTTEN, WITHDRAWN -> false;
    };
  }

  @Override
  public synchronized void close() {
    clients.clear();
  }
}
