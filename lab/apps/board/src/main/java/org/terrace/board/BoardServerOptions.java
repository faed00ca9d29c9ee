package org.terrace.board;

/**
 * How an application server of the board runs.
 *
 * @param name the server's name, which its database connections and threads carry
 * @param address the IP address at which it listens, the only one
 * @param port the TCP port; 0: one that is free
 * @param databaseUrl the JDBC URL of the board's database
 * @param databaseUser the role that logs in there
 * @param databaseLocalAddress the address from which it connects to the database; empty: the
 *     system's choice
 * @param pool how many connections to the database it keeps, 1 to 1000
 * @param threads how many requests it works on at once, 1 to 10000; others wait
 */
record BoardServerOptions(
    String name,
    String address,
    int port,
    String databaseUrl,
    String databaseUser,
    String databaseLocalAddress,
    int pool,
    int threads) {
  static final String USAGE =
      "--name NAME --address ADDRESS --port PORT --database-url URL --database-user USER"
          + " [--pool N] [--threads N] [--database-local-address ADDRESS]";

  private static final int MOST_CONNECTIONS = 1_000;
  private static final int MOST_THREADS = 10_000;

  /** The options of a command line. */
  static BoardServerOptions of(String[] arguments) {
    Flags flags = new Flags(arguments);
    BoardServerOptions options =
        new BoardServerOptions(
            flags.text("--name", "board"),
            flags.text("--address", "127.0.0.1"),
            flags.number("--port", "8080", 0, 65_535),
            flags.text("--database-url"),
            flags.text("--database-user", "board"),
            flags.text("--database-local-address", ""),
            flags.number("--pool", "20", 1, MOST_CONNECTIONS),
            flags.number("--threads", "100", 1, MOST_THREADS));
    flags.end();
    return options;
  }
}
