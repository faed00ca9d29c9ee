package org.terrace.middleware.ejb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.Middleware;
import org.terrace.middleware.MiddlewareUnavailableException;

/**
 * A middleware that carries calls by a stateless session bean over OpenEJB's ejbd protocol. An
 * endpoint's key is the bean's name, with further replicas behind it after commas, which the
 * protocol's own fail-over turns to. Thread-safe.
 */
public final class EjbMiddleware implements Middleware {
  static final String NAME = "ejbd";
  private static final String LIBRARIES =
      "org.apache.tomee:openejb-ejbd, openejb-core and openejb-client, version 10.0.0-M2";

  /** Starts nothing yet. */
  public EjbMiddleware() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Listener listen(InetSocketAddress address, CallHandler handler) throws IOException {
    try {
      return EjbContainer.open(address, handler);
    } catch (NoClassDefFoundError e) {
      throw missing(e);
    }
  }

  @Override
  public CallChannel connect(Endpoint endpoint, Duration timeout) throws IOException {
    try {
      return EjbChannel.open(endpoint, timeout);
    } catch (NoClassDefFoundError e) {
      throw missing(e);
    }
  }

  /** An endpoint of several replicas: the protocol itself goes from one to the next. */
  public static Endpoint merge(List<Endpoint> replicas) {
    Endpoint first = replicas.getFirst();
    String others =
        replicas.stream()
            .skip(1)
            .map(each -> "," + each.host() + ":" + each.port())
            .collect(Collectors.joining());
    return new Endpoint(first.replica(), NAME, first.host(), first.port(), first.key() + others);
  }

  /**
   * The number of classes that this program refused to deserialise, as a client or a server,
   * because no call consists of them.
   */
  public static long refusedClasses() {
    return AdmittedClasses.refused();
  }

  private static MiddlewareUnavailableException missing(NoClassDefFoundError e) {
    return new MiddlewareUnavailableException(
        "The middleware " + NAME + " needs its libraries on the class path: add " + LIBRARIES + ".",
        e);
  }
}
