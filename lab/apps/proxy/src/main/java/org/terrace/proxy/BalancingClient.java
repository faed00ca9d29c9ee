package org.terrace.proxy;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.Cookie;
import io.undertow.server.handlers.proxy.ProxyCallback;
import io.undertow.server.handlers.proxy.ProxyClient;
import io.undertow.server.handlers.proxy.ProxyConnection;
import io.undertow.util.AttachmentKey;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the backend of each request: the one that the session's cookie names, while it is
 * healthy, else by the policy among the healthy ones. Undertow asks again when a connection or an
 * idempotent request failed; the backend that failed is then ejected at once and another one
 * chosen.
 *
 * <p>Thread-safe: called by all I/O threads.
 */
final class BalancingClient implements ProxyClient {
  /** The cookie that binds a session to a backend. */
  static final String ROUTE_COOKIE = "TERRACE_ROUTE";

  private static final AttachmentKey<Attempts> ATTEMPTS = AttachmentKey.create(Attempts.class);

  private final List<Backend> backends;
  private final BalancingPolicy policy;
  private final Consumer<Backend> failed;
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * @param failed told at once of a backend to which a request has failed
   */
  BalancingClient(List<Backend> backends, BalancingPolicy policy, Consumer<Backend> failed) {
    this.backends = List.copyOf(backends);
    this.policy = policy;
    this.failed = failed;
  }

  /** The backends one request has been sent to. Confined to the exchange. */
  private static final class Attempts {
    final List<Backend> tried = new ArrayList<>(2);
    @Nullable Backend current;
  }

  private record Target(Backend backend) implements ProxyTarget {}

  @Override
  public @Nullable ProxyTarget findTarget(HttpServerExchange exchange) {
    Attempts attempts = exchange.getAttachment(ATTEMPTS);
    if (attempts == null) {
      attempts = begin(exchange);
    } else if (attempts.current != null) {
      Backend bad = attempts.current;
      bad.ended(false);
      attempts.current = null;
      failed.accept(bad);
    }
    String route = route(exchange);
    Backend chosen = choose(route, attempts.tried);
    if (chosen == null) {
      return null;
    }
    attempts.tried.add(chosen);
    attempts.current = chosen;
    chosen.began();
    return new Target(chosen);
  }

  private Attempts begin(HttpServerExchange exchange) {
    Attempts attempts = new Attempts();
    exchange.putAttachment(ATTEMPTS, attempts);
    exchange.addExchangeCompleteListener((ended, next) -> {
      if (attempts.current != null) {
        attempts.current.ended(ended.getStatusCode() < StatusCodes.INTERNAL_SERVER_ERROR);
      }
      next.proceed();
    });
    exchange.addResponseCommitListener(committed -> {
      Backend served = attempts.current;
      if (served != null && !served.name().equals(route(committed))) {
        committed
            .getResponseHeaders()
            .add(Headers.SET_COOKIE, ROUTE_COOKIE + "=" + served.name() + "; Path=/; HttpOnly");
      }
    });
    return attempts;
  }

  private static String route(HttpServerExchange exchange) {
    Cookie cookie = exchange.getRequestCookie(ROUTE_COOKIE);
    return cookie == null ? "" : cookie.getValue();
  }

  /** Healthy ones first; when none is, any that was not tried yet may have come back. */
  private @Nullable Backend choose(String route, List<Backend> tried) {
    for (boolean mustBeHealthy : new boolean[] {true, false}) {
      List<Backend> candidates = new ArrayList<>(backends.size());
      for (Backend backend : backends) {
        if ((backend.isHealthy() || !mustBeHealthy) && !tried.contains(backend)) {
          if (backend.name().equals(route)) {
            return backend;
          }
          candidates.add(backend);
        }
      }
      if (!candidates.isEmpty()) {
        return choose(candidates);
      }
    }
    return null;
  }

  private Backend choose(List<Backend> candidates) {
    // The turn also decides between equally loaded ones, so that no backend is always the first.
    int first = Math.floorMod(turn.getAndIncrement(), candidates.size());
    return switch (policy) {
      case ROUND_ROBIN -> candidates.get(first);
      case LEAST_CONNECTIONS -> {
        Backend best = candidates.get(first);
        for (Backend candidate : candidates) {
          if (candidate.inFlight() < best.inFlight()) {
            best = candidate;
          }
        }
        yield best;
      }
    };
  }

  @Override
  public void getConnection(
      ProxyTarget target,
      HttpServerExchange exchange,
      ProxyCallback<ProxyConnection> callback,
      long timeout,
      TimeUnit unit) {
    ((Target) target).backend().pool().connect(target, exchange, callback, timeout, unit, false);
  }
}
