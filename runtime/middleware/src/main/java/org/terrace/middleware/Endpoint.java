package org.terrace.middleware;

import java.util.Objects;

/**
 * One replica of a service and where it is reached.
 *
 * @param replica the replica's name, unique among those of its service and its earlier incarnations
 * @param middleware what carries calls to it, for example {@code terrace}, {@code jacorb}, {@code
 *     ejbd}, {@code grpc}
 * @param host name or address
 * @param port TCP port, 1 to 65535
 * @param key what the middleware needs besides (an object key, a bean name); may be empty
 */
public record Endpoint(String replica, String middleware, String host, int port, String key) {

  /** Refuses a port outside 1 to 65535. */
  public Endpoint {
    Objects.requireNonNull(replica);
    Objects.requireNonNull(middleware);
    Objects.requireNonNull(host);
    Objects.requireNonNull(key);
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("A port is 1 to 65535, not " + port + ".");
    }
  }
}
