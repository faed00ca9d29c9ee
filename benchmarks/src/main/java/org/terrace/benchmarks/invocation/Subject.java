package org.terrace.benchmarks.invocation;

import java.util.Locale;
import org.terrace.benchmarks.OnlyFlag;

/** A measured way to carry calls, with its number of servers. */
enum Subject {
  /** A blocking socket that echoes as many bytes as a call of Terrace has on the wire. */
  SOCKET_ECHO("", 1),
  /** A stub over the default transport, one server, style none. */
  TERRACE("", 1),
  /** A stub over the default transport, two servers, warm passive. */
  TERRACE_WARM_PASSIVE("", 2),
  /** As gRPC comes: a pool of threads at both ends. */
  GRPC("1.85.1", 1),
  /** Calls run on the threads of the network. */
  GRPC_DIRECT("1.85.1", 1),
  /** The channel of Terrace's module, on the caller's thread. */
  JACORB("3.9", 1),
  /** The channel of Terrace's module, on the caller's thread. */
  GLASSFISH("5.0.0", 1),
  /** The channel of Terrace's module, on the caller's thread. */
  EJBD("10.0.0-M2", 1);

  private final String version;
  private final int servers;

  Subject(String version, int servers) {
    this.version = version;
    this.servers = servers;
  }

  static Subject named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  String version() {
    return version;
  }

  int servers() {
    return servers;
  }

  @Override
  public String toString() {
    return OnlyFlag.name(this);
  }
}
