package org.terrace.cluster.server.dialect;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.sql.Engine;

/**
 * The place of one database server.
 *
 * @param host its name or address; an IPv6 address in brackets
 * @param port its TCP port, 1 to 65535
 */
public record ReplicaAddress(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

  /**
   * Reads {@code host} or {@code host:port}.
   *
   * @throws SQLException when it is neither
   */
  public static ReplicaAddress parse(String text, Engine engine) throws SQLException {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw bad("The server '%s' cannot be read: expected host or host:port.".formatted(text));
    }
    int port = matcher.group(2) == null ? engine.defaultPort() : Integer.parseInt(matcher.group(2));
    if (port < 1 || port > 65_535) {
      throw bad("The server '%s' has no port of 1 to 65535.".formatted(text));
    }
    return new ReplicaAddress(matcher.group(1), port);
  }

  private static SQLException bad(String message) {
    return new SQLException(message, SqlStates.CANNOT_CONNECT);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
