package org.terrace.control.link;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.terrace.control.ControlSecret;
import org.terrace.core.HostLookup;

/**
 * The other end of links that are made anew whenever they end.
 *
 * <p>A name is looked up at each attempt: it may have no address yet, or another one than before. A
 * name without an address is told of once, and again only after it has had one. Confined to one
 * thread.
 */
public final class LinkTarget {
  /** More addresses of one name are not tried at one attempt: each has its share of the time. */
  private static final int CANDIDATES_MAX = 8;

  private final String role;
  private final InetSocketAddress address;
  private final ControlSecret secret;
  private final Consumer<String> journal;
  private boolean unknownTold;

  /**
   * A target.
   *
   * @param role of the other end, for messages
   * @param secret of the other end
   */
  public LinkTarget(String role, InetSocketAddress address, ControlSecret secret) {
    this(role, address, secret, System.err::println);
  }

  LinkTarget(
      String role, InetSocketAddress address, ControlSecret secret, Consumer<String> journal) {
    this.role = role;
    this.address = address;
    this.secret = secret;
    this.journal = journal;
  }

  /**
   * Connects to the first of the addresses that the name has now, and that accepts.
   *
   * @param timeout for all of them together
   * @throws ProtocolException if one end has a secret that the other does not have
   * @throws IOException if the name has no address, or nobody accepts within the timeout
   */
  public Link connect(Duration timeout) throws IOException {
    List<InetSocketAddress> candidates = lookUp().stream().limit(CANDIDATES_MAX).toList();
    IOException failure = new ConnectException("nobody accepts at " + address);
    for (InetSocketAddress candidate : candidates) {
      try {
        return Link.connect(candidate, timeout.dividedBy(candidates.size()), secret);
      } catch (ProtocolException e) {
        throw e;
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private List<InetSocketAddress> lookUp() throws UnknownHostException {
    try {
      List<InetSocketAddress> found = HostLookup.addresses(address);
      if (unknownTold) {
        unknownTold = false;
        journal.accept(role + " " + name() + ": the name has an address again");
      }
      return found;
    } catch (UnknownHostException e) {
      if (!unknownTold) {
        unknownTold = true;
        journal.accept(
            role + " " + name() + ": " + e.getMessage() + "; it is looked up until it has one");
      }
      throw e;
    }
  }

  private String name() {
    return address.getHostString() + ":" + address.getPort();
  }
}
