package org.terrace.cluster.jdbc.settings;

/**
 * The place of one database server.
 *
 * @param host its name or address; an IPv6 address in brackets
 * @param port its TCP port, 1 to 65535
 */
public record ReplicaAddress(String host, int port) {
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
