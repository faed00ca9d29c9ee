package org.terrace.middleware.corba;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.Middleware;

/**
 * A middleware that carries calls over IIOP. An endpoint's key is the stringified object reference.
 * The identity of a request travels in the service context FT_REQUEST (Object Management Group,
 * "Common Object Request Broker Architecture", version 3.0, section 23.2). Thread-safe.
 */
public sealed class CorbaMiddleware implements Middleware
    permits JacorbMiddleware, GlassfishMiddleware {
  private final OrbKind kind;
  private @Nullable OrbBinding binding;

  CorbaMiddleware(OrbKind kind) {
    this.kind = kind;
  }

  @Override
  public final String name() {
    return kind.middleware();
  }

  @Override
  public final Listener listen(InetSocketAddress address, CallHandler handler) throws IOException {
    return binding().listen(address, handler);
  }

  @Override
  public final CallChannel connect(Endpoint endpoint, Duration timeout) throws IOException {
    return binding().connect(endpoint, timeout);
  }

  /**
   * An endpoint that reaches the first of several replicas that answers: its reference holds the
   * endpoints of all, and connecting goes from one to the next.
   *
   * @param replicas endpoints of replicas of this middleware, at least one
   * @throws IOException if one of them holds no reference
   */
  public final Endpoint merge(List<Endpoint> replicas) throws IOException {
    Endpoint first = replicas.getFirst();
    String merged = binding().merge(replicas.stream().map(Endpoint::key).toList());
    return new Endpoint(first.replica(), name(), first.host(), first.port(), merged);
  }

  private synchronized OrbBinding binding() throws IOException {
    OrbBinding known = binding;
    if (known == null) {
      known = OrbLoader.load(kind);
      binding = known;
    }
    return known;
  }
}
