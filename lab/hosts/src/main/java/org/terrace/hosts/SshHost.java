package org.terrace.hosts;

import java.util.List;

/**
 * A host that {@code ssh} leads to. Immutable.
 *
 * @param name its name in messages and results
 * @param destination what {@code ssh} is asked for, for example {@code me@one.example}
 * @param address the address that its servers listen at and connect from; one of 127.0.0.0/8 says
 *     that all hosts are this machine, on which each server has a loopback address of its own
 * @param servers the tiers and servers that it plays, for example {@code app} or {@code app1};
 *     none: whatever no other host plays
 * @param java the program {@code java} there; empty for that of {@code JAVA_HOME} or the PATH
 */
public record SshHost(
    String name, String destination, String address, List<String> servers, String java) {
  /** Copies the servers. */
  public SshHost {
    servers = List.copyOf(servers);
  }

  /** Whether its servers have loopback addresses of their own. */
  public boolean isLoopback() {
    return address.startsWith("127.");
  }
}
