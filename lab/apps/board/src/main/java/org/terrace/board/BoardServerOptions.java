package org.terrace.board;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;

/**
 * The settings of an application server of the board.
 *
 * @param name the server's name, which its database connections and threads carry
 * @param address the IP address at which it listens, the only one
 * @param port the TCP port; 0: one that is free
 * @param databaseUrl the JDBC URL of the board's database
 * @param databaseUser the role that logs in there
 * @param databasePasswordFile the file with that role's password; empty: it needs none
 * @param databaseLocalAddress the address from which it connects to the database; empty: the
 *     system's choice
 * @param pool how many connections to the database it keeps, 1 to 1000
 * @param threads how many requests it works on at once, 1 to 10000; others wait
 * @param backlog how many connections may wait to be accepted, 1 to 65535
 * @param groupPort the port at its address for the group of application servers, which share the
 *     sessions; 0: one that is free
 * @param metrics the place where its pools are told in Prometheus's format, as ADDRESS:PORT; none:
 *     they are not
 * @param groupContacts where other servers of the group may be found, as HOST:PORT; a name stands
 *     for all its addresses, and is looked up again and again
 * @param groupSecretFile the file with the secret by which the group encrypts what it sends; empty:
 *     it is sent in the clear
 */
record BoardServerOptions(
    String name,
    String address,
    int port,
    String databaseUrl,
    String databaseUser,
    String databasePasswordFile,
    String databaseLocalAddress,
    int pool,
    int threads,
    int backlog,
    int groupPort,
    List<InetSocketAddress> metrics,
    List<InetSocketAddress> groupContacts,
    String groupSecretFile) {
  static final String USAGE =
      "--name NAME --address ADDRESS --port PORT --database-url URL --database-user USER"
          + " [--pool N] [--threads N] [--backlog N]"
          + " [--database-password-file FILE] [--database-local-address ADDRESS]"
          + " [--group-port PORT] [--group-contacts HOST:PORT,...]"
          + " [--group-secret-file FILE] [--metrics ADDRESS:PORT]";

  /** Connections that wait to be accepted where nothing else was said. */
  private static final int WAITING_CONNECTIONS = 1_000;

  private static final int MOST_CONNECTIONS = 1_000;
  private static final int MOST_THREADS = 10_000;
  private static final int MOST_PORT = 65_535;
  private static final Pattern PLACE = Pattern.compile("([A-Za-z0-9.-]+):([0-9]{1,5})");
  private static final Pattern LITERAL = Pattern.compile("[0-9.]+");

  BoardServerOptions {
    metrics = List.copyOf(metrics);
    groupContacts = List.copyOf(groupContacts);
  }

  /** The options of a command line. */
  static BoardServerOptions of(String[] arguments) {
    Flags flags = Flags.of(arguments);
    BoardServerOptions options =
        new BoardServerOptions(
            flags.text("--name", "board"),
            flags.text("--address", "127.0.0.1"),
            flags.number("--port", 8080, 0, MOST_PORT),
            flags.text("--database-url"),
            flags.text("--database-user", "board"),
            flags.text("--database-password-file", ""),
            flags.text("--database-local-address", ""),
            flags.number("--pool", 20, 1, MOST_CONNECTIONS),
            flags.number("--threads", 100, 1, MOST_THREADS),
            flags.number("--backlog", WAITING_CONNECTIONS, 1, MOST_PORT),
            flags.number("--group-port", 0, 0, MOST_PORT),
            places("--metrics", flags.text("--metrics", "")),
            places("--group-contacts", flags.text("--group-contacts", "")),
            flags.text("--group-secret-file", ""));
    flags.end();
    return options;
  }

  private static List<InetSocketAddress> places(String flag, String text) {
    List<InetSocketAddress> places = new ArrayList<>();
    for (String place : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      Matcher matcher = PLACE.matcher(place);
      if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MOST_PORT) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            flag + " names '" + place + "'; expected HOST:PORT, separated by commas");
      }
      String host = matcher.group(1);
      int port = Integer.parseInt(matcher.group(2));
      places.add(
          LITERAL.matcher(host).matches()
              ? new InetSocketAddress(InetAddress.ofLiteral(host), port)
              : InetSocketAddress.createUnresolved(host, port));
    }
    return places;
  }
}
