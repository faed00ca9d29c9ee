package org.terrace.databases.mariadb;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The settings of a MariaDB server. Immutable; the {@code with} methods give changed copies.
 *
 * @param address the IP address at which the server listens, the only one
 * @param port the TCP port, 1 to 65535
 * @param user the account that may do everything in the database, without a password and from its
 *     clients' networks only; the only one there is
 * @param database the database that is made for it
 * @param clients the networks of that account's clients in CIDR notation, at least one
 * @param settings further settings of the server by name, with dashes, such as {@code
 *     innodb-flush-log-at-trx-commit}; they win over all others
 */
public record MariaDbOptions(
    String address,
    int port,
    String user,
    String database,
    List<String> clients,
    Map<String, String> settings) {
  private static final String LOOPBACK = "127.0.0.0/8";
  private static final Pattern NETWORK =
      Pattern.compile("([0-9]{1,3}\\.){3}[0-9]{1,3}/([0-9]|[12][0-9]|3[0-2])");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+");
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Pattern SETTING = Pattern.compile("[a-z][a-z0-9-]*");

  /** Refuses what is not an address, a port or a name. */
  public MariaDbOptions {
    check(ADDRESS, address, "address", "an IPv4 address such as 127.0.4.1");
    if (port < 1 || port > 65_535) {
      throw bad("port", String.valueOf(port), "a number from 1 to 65535");
    }
    check(NAME, user, "user", "a lower-case name such as board");
    check(NAME, database, "database", "a lower-case name such as board");
    clients = List.copyOf(clients);
    if (clients.isEmpty()) {
      throw bad("client network", "", "one such as 127.0.0.0/8");
    }
    clients.forEach(each -> check(NETWORK, each, "client network", "one such as 127.0.0.0/8"));
    settings = Map.copyOf(settings);
    settings
        .keySet()
        .forEach(name -> check(SETTING, name, "setting", "a name such as innodb-log-file-size"));
  }

  /**
   * A server at an address, with a database of that name for a user of the same name, whose clients
   * are in the loopback network.
   */
  public static MariaDbOptions at(String address, int port, String database) {
    return new MariaDbOptions(address, port, database, database, List.of(LOOPBACK), Map.of());
  }

  /** The same with one more setting of the server. */
  public MariaDbOptions withSetting(String name, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(name, value);
    return new MariaDbOptions(address, port, user, database, clients, more);
  }

  /** The same with clients in other networks, in CIDR notation. */
  public MariaDbOptions withClients(List<String> networks) {
    return new MariaDbOptions(address, port, user, database, networks, settings);
  }

  /** The clients' networks as the hosts of an account: address and mask. */
  public List<String> clientHosts() {
    return clients.stream().map(MariaDbOptions::host).toList();
  }

  private static String host(String network) {
    String[] parts = network.split("/", -1);
    int bits = Integer.parseInt(parts[1]);
    int mask = bits == 0 ? 0 : -1 << (Integer.SIZE - bits);
    return "%s/%d.%d.%d.%d"
        .formatted(parts[0], mask >>> 24, (mask >>> 16) & 0xff, (mask >>> 8) & 0xff, mask & 0xff);
  }

  /**
   * The same, for tests: a commit waits for nothing, and a crash of the machine may destroy data.
   */
  public MariaDbOptions withoutDurability() {
    return withSetting("innodb-flush-log-at-trx-commit", "0")
        .withSetting("innodb-doublewrite", "0");
  }

  /** The same with an index of words that leaves out none, however short or usual. */
  public MariaDbOptions withWordsOfAnyLength() {
    return withSetting("innodb-ft-min-token-size", "0")
        .withSetting("innodb-ft-enable-stopword", "0");
  }

  /** The URL for JDBC. */
  public String jdbcUrl() {
    return "jdbc:mariadb://" + address + ":" + port + "/" + database;
  }

  private static void check(Pattern pattern, String value, String what, String expected) {
    if (!pattern.matcher(value).matches()) {
      throw bad(what, value, expected);
    }
  }

  private static TerraceException bad(String what, String value, String expected) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        "The database's " + what + " is '" + value + "'; expected " + expected + ".");
  }
}
