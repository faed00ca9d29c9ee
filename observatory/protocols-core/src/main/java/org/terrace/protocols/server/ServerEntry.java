package org.terrace.protocols.server;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.wire.packet.HostAddress;

/** A server while its requests are read. Confined to one thread. */
public final class ServerEntry {
  private static final int CALLERS_MAX = 4096;

  private final HostAddress address;
  private final int port;
  private final String name;
  private final @Nullable String givenTier;
  private final Set<HostAddress> callers = new HashSet<>();
  private @Nullable String protocol;
  private ServerRole role = ServerRole.UNKNOWN;
  private long requests;

  ServerEntry(HostAddress address, int port, String name, @Nullable String givenTier) {
    this.address = address;
    this.port = port;
    this.name = name;
    this.givenTier = givenTier;
  }

  /** The address it serves at. */
  public HostAddress address() {
    return address;
  }

  /** The port it serves at. */
  public int port() {
    return port;
  }

  /** The name of the server. */
  public String name() {
    return name;
  }

  /** The tier the user gave it, or null. */
  @Nullable String givenTier() {
    return givenTier;
  }

  /** The name of the protocol it was seen to speak, or null before it was. */
  public @Nullable String protocol() {
    return protocol;
  }

  /** The role of that protocol. */
  ServerRole role() {
    return role;
  }

  /** Notes what it speaks on one connection; a known role outweighs an unknown one. */
  public void speaks(String seen, ServerRole seenRole) {
    if (protocol == null || role == ServerRole.UNKNOWN) {
      protocol = seen;
      role = seenRole;
    }
  }

  /** Notes the role that it has by what its protocol carries; a role that is known stays. */
  public void carries(ServerRole inside) {
    if (role == ServerRole.UNKNOWN) {
      role = inside;
    }
  }

  /** Notes a host that calls it. */
  public void calledBy(HostAddress caller) {
    if (callers.size() < CALLERS_MAX) {
      callers.add(caller);
    }
  }

  Set<HostAddress> callers() {
    return callers;
  }

  /** Counts a request. */
  public void countRequest() {
    requests++;
  }

  /** Requests so far. */
  public long requests() {
    return requests;
  }
}
