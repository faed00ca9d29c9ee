package org.terrace.spring.boot.starter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The way in which a user writes where another server may be found. */
final class ContactText {
  private ContactText() {}

  /**
   * The address in {@code host:port}, {@code host} or {@code [IPv6 address]:port}.
   *
   * @param property where it was written, for the message of an error
   * @throws IllegalArgumentException if it is none
   */
  static InetSocketAddress parse(String property, String text, int defaultPort) {
    try {
      URI uri = new URI("contact://" + text);
      String host = uri.getHost();
      if (host != null && uri.getRawPath().isEmpty() && uri.getUserInfo() == null) {
        int port = uri.getPort() < 0 ? defaultPort : uri.getPort();
        InetAddress literal = literal(host);
        return literal == null
            ? InetSocketAddress.createUnresolved(host, port)
            : new InetSocketAddress(literal, port);
      }
    } catch (URISyntaxException | IllegalArgumentException e) {
      // said below
    }
    throw new IllegalArgumentException(
        property
            + " has '"
            + text
            + "': expected host:port or host, for example app2:7600 or [::1]:7600");
  }

  private static @Nullable InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(
          host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
    } catch (IllegalArgumentException e) {
      return null; // a name
    }
  }
}
