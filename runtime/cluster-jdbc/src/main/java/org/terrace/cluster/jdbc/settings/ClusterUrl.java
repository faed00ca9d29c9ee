package org.terrace.cluster.jdbc.settings;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.ReplicaAddress;
import org.terrace.cluster.sql.Engine;

/**
 * The reader of URLs such as {@code jdbc:terrace:postgresql://a,b:5433,c/shop?scheduling=table}.
 * What is wrong is named, with what was expected.
 */
public final class ClusterUrl {
  /** The beginning of all URLs of clusters. */
  public static final String PREFIX = "jdbc:terrace:";

  /** A driver of its own speaks to the process of a controller. */
  private static final String CONTROLLER = PREFIX + "controller:";

  private static final String EXPECTED =
      "expected jdbc:terrace:postgresql://host[:port],host[:port]/database[?option=value&...],"
          + " or mariadb instead of postgresql";
  private static final Pattern FORM =
      Pattern.compile("jdbc:terrace:([a-z]+)://([^/?]*)/([^/?]+)(?:\\?(.*))?");

  private ClusterUrl() {}

  /** Whether a URL is meant for this driver, well-formed or not. */
  public static boolean isMeant(String url) {
    return url.startsWith(PREFIX) && !url.startsWith(CONTROLLER);
  }

  /** Reads a URL. Properties win over options of the same name in the URL. */
  public static ClusterConfiguration parse(String url, Properties properties) throws SQLException {
    Matcher matcher = FORM.matcher(url);
    if (!matcher.matches()) {
      throw bad("The URL " + withoutOptions(url) + " cannot be read: " + EXPECTED + ".");
    }
    Engine engine =
        Engine.named(matcher.group(1))
            .orElseThrow(() ->
                bad(
                    "The database system '%s' cannot be clustered: %s."
                        .formatted(matcher.group(1), EXPECTED)));
    Map<String, String> values = options(matcher.group(4));
    properties
        .stringPropertyNames()
        .forEach(name -> values.put(name, properties.getProperty(name)));
    return ClusterOptionReader.read(
        engine, servers(matcher.group(2), engine), decode(matcher.group(3)), values);
  }

  private static List<ReplicaAddress> servers(String list, Engine engine) throws SQLException {
    List<ReplicaAddress> servers = new ArrayList<>();
    for (String one : list.split(",", -1)) {
      servers.add(ReplicaAddress.parse(one, engine));
    }
    if (new HashSet<>(servers).size() < servers.size()) {
      throw bad("A server is named twice in '" + list + "': each replica is a server of its own.");
    }
    if (servers.size() > ClusterConfiguration.REPLICAS_MAX) {
      throw bad(
          "The URL names %d servers, more than %d."
              .formatted(servers.size(), ClusterConfiguration.REPLICAS_MAX));
    }
    return servers;
  }

  private static Map<String, String> options(String query) throws SQLException {
    Map<String, String> options = new TreeMap<>();
    if (query == null || query.isEmpty()) {
      return options;
    }
    for (String one : query.split("&", -1)) {
      int equals = one.indexOf('=');
      if (equals < 1) {
        throw bad("An option has no value: expected name=value, separated by '&'.");
      }
      String name = decode(one.substring(0, equals));
      if (options.put(name, decode(one.substring(equals + 1))) != null) {
        throw bad("The option '" + name + "' is given twice.");
      }
    }
    return options;
  }

  private static String decode(String text) throws SQLException {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw bad("A name or value of the URL has a '%' that is not followed by two hex digits.");
    }
  }

  /** A password may be among the options. */
  private static String withoutOptions(String url) {
    int query = url.indexOf('?');
    return "'" + (query < 0 ? url : url.substring(0, query) + "?...") + "'";
  }

  static SQLException bad(String message) {
    return new SQLException(message, SqlStates.CANNOT_CONNECT);
  }
}
