package org.terrace.cluster.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a controller, or of several of which one leads: {@code
 * jdbc:terrace:controller://host:port,host:port/database?option=value&...}.
 *
 * @param connectMillis how long a connection is waited for
 * @param answerMillis how long an answer is waited for; 0: without end
 * @param outcomeMillis how long the outcome of a commit whose answer was lost is asked for
 * @param secret what the controller wants to be shown; empty: nothing
 * @param localAddress the address that the connection comes from; empty: the system's choice
 */
record ControllerUrl(
    String url,
    List<Address> addresses,
    String database,
    int connectMillis,
    int answerMillis,
    int outcomeMillis,
    String secret,
    String localAddress) {
  static final String PREFIX = "jdbc:terrace:controller:";
  private static final String ADDRESS = "(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+):([0-9]{1,5})";
  private static final Pattern ONE = Pattern.compile(ADDRESS);
  private static final Pattern FORM =
      Pattern.compile(
          "%s//(%s(?:,%s)*)/(?<database>[^/?]+)(?:\\?(?<options>.*))?"
              .formatted(PREFIX, ADDRESS, ADDRESS));
  private static final Set<String> OPTIONS =
      Set.of(
          "connectMillis",
          "answerMillis",
          "outcomeMillis",
          "secretFile",
          "localAddress",
          "user",
          "password");
  private static final String CONNECT_MILLIS = "5000";
  private static final String ANSWER_MILLIS = "60000";
  private static final String OUTCOME_MILLIS = "30000";
  private static final int PORT_MAX = 65_535;

  /** Copies what may change. */
  ControllerUrl {
    addresses = List.copyOf(addresses);
  }

  /** The host and port of one controller. */
  record Address(String host, int port) {}

  /** Reads a URL. Properties win over options of the same name in the URL. */
  static ControllerUrl of(String url, Properties properties) throws SQLException {
    Matcher matcher = FORM.matcher(url);
    List<Address> addresses = matcher.matches() ? addresses(matcher.group(1)) : List.of();
    if (addresses.isEmpty()) {
      throw bad(
          "The URL cannot be read: expected "
              + PREFIX
              + "//host:port[,host:port...]/database[?option=value&...]");
    }
    Map<String, String> values = new HashMap<>();
    String query = matcher.group("options");
    for (String one : query == null ? new String[0] : query.split("&", -1)) {
      int equals = one.indexOf('=');
      values.put(equals < 0 ? one : one.substring(0, equals), one.substring(equals + 1));
    }
    properties
        .stringPropertyNames()
        .forEach(name -> values.put(name, properties.getProperty(name)));
    for (String name : values.keySet()) {
      if (!OPTIONS.contains(name)) {
        throw bad("There is no option '" + name + "': expected one of " + OPTIONS);
      }
    }
    return new ControllerUrl(
        url,
        addresses,
        matcher.group("database"),
        millis(values.getOrDefault("connectMillis", CONNECT_MILLIS)),
        millis(values.getOrDefault("answerMillis", ANSWER_MILLIS)),
        millis(values.getOrDefault("outcomeMillis", OUTCOME_MILLIS)),
        secret(values.getOrDefault("secretFile", "")),
        values.getOrDefault("localAddress", ""));
  }

  /** The addresses of a list; none if a port is none. */
  private static List<Address> addresses(String list) {
    List<Address> addresses = new ArrayList<>();
    Matcher one = ONE.matcher(list);
    while (one.find()) {
      int port = Integer.parseInt(one.group(2));
      if (port > PORT_MAX) {
        return List.of();
      }
      addresses.add(new Address(one.group(1), port));
    }
    return addresses;
  }

  private static int millis(String value) throws SQLException {
    try {
      int millis = Integer.parseInt(value);
      if (millis >= 0) {
        return millis;
      }
    } catch (NumberFormatException e) {
      throw bad("The time '" + value + "' is no number of milliseconds");
    }
    throw bad("The time '" + value + "' is negative");
  }

  private static String secret(String file) throws SQLException {
    try {
      return file.isEmpty() ? "" : Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      throw bad("The secret in " + file + " cannot be read (" + e + ")");
    }
  }

  private static SQLException bad(String message) {
    return new SQLException(message + ".", "08001");
  }
}
