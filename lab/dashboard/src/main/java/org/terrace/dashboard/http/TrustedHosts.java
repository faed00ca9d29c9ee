package org.terrace.dashboard.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The hosts under whose name the server may be asked. A page elsewhere may point a name of its own
 * at this server (DNS rebinding), and its scripts would then be of the same origin; an address in
 * figures is no such name. Any port is right, since a tunnel has its own. Immutable.
 */
final class TrustedHosts {
  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("\\[[0-9A-Fa-f:.%]+]");
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}|\\[::1]");

  private final boolean loopbackOnly;
  private final Set<String> names = new TreeSet<>();

  /**
   * The names of a server at an address, which was given as a name or in figures. A given name is
   * known on loopback too: a machine's own name may lead there.
   */
  TrustedHosts(InetSocketAddress address) {
    InetAddress at = address.getAddress();
    loopbackOnly = at.isLoopbackAddress();
    names.add("localhost");
    names.add(address.getHostString().toLowerCase(Locale.ROOT));
  }

  /** Whether the value of a Host header names this server. */
  boolean trusts(Optional<String> host) {
    String name = host.map(TrustedHosts::withoutPort).orElse("");
    if (names.contains(name)) {
      return true;
    }
    return loopbackOnly
        ? LOOPBACK.matcher(name).matches()
        : IPV4.matcher(name).matches() || IPV6.matcher(name).matches();
  }

  /** Whether a request's Origin, if it has one, is this server under the name it was asked by. */
  static boolean isOwn(Optional<String> origin, Optional<String> host) {
    return origin.isEmpty()
        || host.filter(name ->
                origin.get().equalsIgnoreCase("http://" + name)
                    || origin.get().equalsIgnoreCase("https://" + name))
            .isPresent();
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    boolean port = colon > host.lastIndexOf(']') && colon >= 0;
    return (port ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
  }
}
