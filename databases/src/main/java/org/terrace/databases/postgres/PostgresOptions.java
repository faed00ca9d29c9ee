package org.terrace.databases.postgres;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The settings of a PostgreSQL server. Immutable; the {@code with} methods give changed copies.
 *
 * @param address the IP address at which the server listens, the only one
 * @param port the TCP port, 1 to 65535
 * @param user the role that owns the database and may log in, the only one; not a superuser
 * @param database the database that is made for it
 * @param clientNetworks the networks in CIDR notation from which that role may log in, without a
 *     password; everybody else is refused
 * @param dataDirectory where the data lie; empty: a fresh directory under {@code java.io.tmpdir}
 *     that is deleted when the server is closed
 * @param sharedBuffersMebibytes the size of PostgreSQL's page cache, at least 1
 * @param maximumConnections how many connections the server accepts at once, at least 1
 * @param durability what a commit waits for
 * @param settings further settings of {@code postgresql.conf}, by name; they win over all others
 */
public record PostgresOptions(
    String address,
    int port,
    String user,
    String database,
    List<String> clientNetworks,
    Optional<Path> dataDirectory,
    int sharedBuffersMebibytes,
    int maximumConnections,
    Durability durability,
    Map<String, String> settings) {

  /** The durability of a commit: the thing it waits for. */
  public enum Durability {
    /** The disk: a committed transaction survives a crash of the machine. The default. */
    DISK,
    /**
     * No wait: the log reaches the disk within a second. A crash of the server or the machine may
     * lose the last transactions, never half of one.
     */
    DELAYED,
    /**
     * No wait, and nothing is forced to the disk: for tests. A crash of the machine may destroy the
     * data.
     */
    NONE
  }

  private static final int DEFAULT_SHARED_BUFFERS_MEBIBYTES = 128;
  private static final int DEFAULT_MAXIMUM_CONNECTIONS = 100;
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Pattern SETTING = Pattern.compile("[a-z_]+(\\.[a-z_]+)?");
  private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F.:]+");
  private static final Pattern NETWORK = Pattern.compile("[0-9a-fA-F.:]+/[0-9]{1,3}");

  public PostgresOptions {
    check(ADDRESS, address, "address", "an IP address such as 127.0.4.1");
    if (port < 1 || port > 65535) {
      throw bad("port", String.valueOf(port), "a number from 1 to 65535");
    }
    check(NAME, user, "user", "a lower-case SQL name such as board");
    check(NAME, database, "database", "a lower-case SQL name such as board");
    clientNetworks = List.copyOf(clientNetworks);
    clientNetworks.forEach(
        network -> check(NETWORK, network, "client network", "one such as 127.0.0.0/8"));
    if (sharedBuffersMebibytes < 1) {
      throw bad("shared buffers", sharedBuffersMebibytes + " MiB", "at least 1 MiB");
    }
    if (maximumConnections < 1) {
      throw bad("connections", String.valueOf(maximumConnections), "at least 1");
    }
    settings = Map.copyOf(settings);
    settings.forEach((name, value) -> {
      check(SETTING, name, "setting", "a name of postgresql.conf such as work_mem");
      if (value.chars().anyMatch(Character::isISOControl)) {
        throw bad("setting " + name, value, "a value on one line");
      }
    });
  }

  /**
   * A server at an address, with a database {@code board} for a role {@code board}, which may log
   * in from the loopback network.
   */
  public static PostgresOptions at(String address, int port) {
    return new PostgresOptions(
        address,
        port,
        "board",
        "board",
        List.of("127.0.0.0/8"),
        Optional.empty(),
        DEFAULT_SHARED_BUFFERS_MEBIBYTES,
        DEFAULT_MAXIMUM_CONNECTIONS,
        Durability.DISK,
        Map.of());
  }

  /** The same with another role and database. */
  public PostgresOptions withDatabase(String newUser, String newDatabase) {
    return new PostgresOptions(
        address,
        port,
        newUser,
        newDatabase,
        clientNetworks,
        dataDirectory,
        sharedBuffersMebibytes,
        maximumConnections,
        durability,
        settings);
  }

  /** The same with clients in these networks, in CIDR notation. */
  public PostgresOptions withClientNetworks(List<String> networks) {
    return new PostgresOptions(
        address,
        port,
        user,
        database,
        networks,
        dataDirectory,
        sharedBuffersMebibytes,
        maximumConnections,
        durability,
        settings);
  }

  /** The same with its data in a directory of the caller's, which must be empty or absent. */
  public PostgresOptions withDataDirectory(Path directory) {
    return new PostgresOptions(
        address,
        port,
        user,
        database,
        clientNetworks,
        Optional.of(directory),
        sharedBuffersMebibytes,
        maximumConnections,
        durability,
        settings);
  }

  /** The same with other sizes. */
  public PostgresOptions withSizes(int newSharedBuffersMebibytes, int newMaximumConnections) {
    return new PostgresOptions(
        address,
        port,
        user,
        database,
        clientNetworks,
        dataDirectory,
        newSharedBuffersMebibytes,
        newMaximumConnections,
        durability,
        settings);
  }

  /** The same with another durability. */
  public PostgresOptions withDurability(Durability newDurability) {
    return new PostgresOptions(
        address,
        port,
        user,
        database,
        clientNetworks,
        dataDirectory,
        sharedBuffersMebibytes,
        maximumConnections,
        newDurability,
        settings);
  }

  /** The same with one more setting of {@code postgresql.conf}. */
  public PostgresOptions withSetting(String name, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(name, value);
    return new PostgresOptions(
        address,
        port,
        user,
        database,
        clientNetworks,
        dataDirectory,
        sharedBuffersMebibytes,
        maximumConnections,
        durability,
        more);
  }

  /** The URL for JDBC. */
  public String jdbcUrl() {
    String host = address.contains(":") ? "[" + address + "]" : address;
    return "jdbc:postgresql://" + host + ":" + port + "/" + database;
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
