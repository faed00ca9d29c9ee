package org.terrace.invocation.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Attempts;
import org.terrace.invocation.ClientOptions;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Profile;
import org.terrace.invocation.ServiceReference;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.invocation.middleware.CallChannel;
import org.terrace.invocation.middleware.CallFailedException;
import org.terrace.invocation.middleware.CallReply;
import org.terrace.invocation.middleware.CallRequest;
import org.terrace.invocation.middleware.Middleware;
import org.terrace.invocation.middleware.Middlewares;

/** The calls of one client. Thread-safe. */
public final class Calls {
  private final ClientOptions options;
  private final TimeSource time = TimeSource.system();
  private final Map<Profile, CallChannel> channels = new ConcurrentHashMap<>();
  private final TreeSet<Long> incomplete = new TreeSet<>();
  private long sequences;

  /** The calls of a client with these options. */
  public Calls(ClientOptions options) {
    this.options = options;
  }

  /** The reply to a call: RESULT or REFUSED. */
  public CallReply call(String service, ServiceMethod method, byte[] arguments) {
    long sequence;
    long first;
    synchronized (incomplete) {
      sequence = ++sequences;
      incomplete.add(sequence);
      first = incomplete.first();
    }
    try {
      RequestIdentity identity = new RequestIdentity(options.client(), sequence);
      long deadline = time.elapsedNanos() + options.deadline().toNanos();
      return callUntil(service, method, arguments, identity, first, deadline);
    } finally {
      synchronized (incomplete) {
        incomplete.remove(sequence);
      }
    }
  }

  private CallReply callUntil(
      String service,
      ServiceMethod method,
      byte[] arguments,
      RequestIdentity identity,
      long first,
      long deadline) {
    boolean executed = false;
    String reason = "the naming service knows no replica of " + service;
    @Nullable Exception cause = null;
    List<Profile> profiles =
        options.naming().resolve(service).map(ServiceReference::profiles).orElse(List.of());
    for (Profile profile : profiles) {
      long left = deadline - time.elapsedNanos();
      if (left <= 0) {
        break;
      }
      CallRequest request =
          new CallRequest(service, method.wireName(), identity, first, left, true, arguments);
      try {
        CallReply reply = channel(profile, left).call(request, Duration.ofNanos(left));
        switch (reply.status()) {
          case RESULT, REFUSED -> {
            return reply;
          }
          case REJECTED, NOT_PRIMARY, DRAINING -> reason = text(reply);
          case FAILED -> {
            executed = true;
            reason = text(reply);
          }
        }
      } catch (CallFailedException e) {
        executed |= e.executed();
        reason = String.valueOf(e.getMessage());
        cause = e;
      } catch (IOException e) {
        reason = String.valueOf(e.getMessage());
        cause = e;
      }
    }
    throw new InvocationException(
        executed ? Outcome.UNKNOWN : Outcome.NOT_EXECUTED,
        "Call " + identity + " of " + service + "." + method.name() + " failed: " + reason,
        cause);
  }

  private CallChannel channel(Profile profile, long timeoutNanos) throws IOException {
    CallChannel open = channels.get(profile);
    if (open != null && open.isOpen()) {
      return open;
    }
    Middleware given = options.middleware();
    Middleware middleware =
        given != null && given.name().equals(profile.middleware())
            ? given
            : Middlewares.byName(profile.middleware());
    CallChannel fresh = middleware.connect(profile, Duration.ofNanos(timeoutNanos));
    CallChannel other = channels.put(profile, fresh);
    if (other != null) {
      other.close();
    }
    return fresh;
  }

  private static String text(CallReply reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  /** The last calls. */
  public List<Attempts> attempts() {
    return new ArrayList<>();
  }

  /** Closes all connections. */
  public void close() {
    channels.values().forEach(CallChannel::close);
  }
}
