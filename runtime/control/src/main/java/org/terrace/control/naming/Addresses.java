package org.terrace.control.naming;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** A parser of addresses that a user wrote. Stateless and thread-safe. */
public final class Addresses {
  private static final int PORT_MAX = 65_535;

  private static final Pattern FORM =
      Pattern.compile("(?:\\[(?<literal>[^\\[\\]]+)]|(?<host>[^:\\[\\]]+)):(?<port>[0-9]{1,5})");

  private Addresses() {}

  /**
   * The addresses in {@code host:port,host:port}; none in an empty text.
   *
   * @param flag where they were written, for the message of an error
   * @throws TerraceException if one is no address
   */
  public static List<InetSocketAddress> parse(String flag, String text) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (!part.isBlank()) {
        addresses.add(parseOne(flag, part.strip()));
      }
    }
    return addresses;
  }

  /**
   * The address in {@code host:port} or {@code [IPv6 address]:port}. A name is not looked up: it
   * may have no address yet, or another one when somebody connects.
   *
   * @throws TerraceException if it is none
   */
  public static InetSocketAddress parseOne(String flag, String text) {
    Matcher matcher = FORM.matcher(text);
    int port = matcher.matches() ? Integer.parseInt(matcher.group("port")) : -1;
    if (port < 0 || port > PORT_MAX) {
      throw invalid(flag, text);
    }
    String literal = matcher.group("literal");
    String host = literal == null ? matcher.group("host") : literal;
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    } catch (IllegalArgumentException e) {
      if (literal != null) {
        throw invalid(flag, text);
      }
      return InetSocketAddress.createUnresolved(host, port);
    }
  }

  private static TerraceException invalid(String flag, String text) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        flag + " has '" + text + "': expected host:port, for example 127.0.0.1:7400 or [::1]:7400");
  }

  /** The form that {@link #parseOne} reads. */
  public static String format(InetSocketAddress address) {
    return bracketed(address.getHostString()) + ":" + address.getPort();
  }

  /** A host as it stands before a colon: an IPv6 address is put into brackets. */
  public static String bracketed(String host) {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }
}
