package bookshop;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;

/**
 * Three PostgreSQL servers on one machine, to try the bookshop with: each with all the data, at an
 * address of its own under a prefix such as {@code 127.81.1}. A real bookshop has a machine each.
 */
final class Databases implements AutoCloseable {
  static final int COUNT = 3;
  private static final int PORT = 5432;

  private final String prefix;
  private final List<PostgresServer> servers = new ArrayList<>();

  Databases(String prefix) {
    this.prefix = prefix;
    try {
      for (int number = 1; number <= COUNT; number++) {
        PostgresServer server =
            new PostgresServer(
                PostgresOptions.at(host(number), PORT)
                    .withDatabase("shop", "shop")
                    .withSizes(16, 60));
        servers.add(server);
        server.initialise().start();
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private String host(int number) {
    return prefix + "." + number;
  }

  /**
   * The one URL of all three.
   *
   * @param log the directory of the recovery log, by which a server that was lost returns
   */
  String url(Path log) {
    List<String> hosts = new ArrayList<>();
    for (int number = 1; number <= COUNT; number++) {
      hosts.add(host(number) + ":" + PORT);
    }
    return "jdbc:terrace:postgresql://" + String.join(",", hosts) + "/shop?log=" + log;
  }

  /** The URL of one of them alone, for looking at it; 1 to 3. */
  String urlOf(int number) {
    return "jdbc:postgresql://" + host(number) + ":" + PORT + "/shop?user=shop";
  }

  /** Kills one, without a goodbye. */
  void kill(int number) {
    servers.get(number - 1).crash();
  }

  /** Starts one again that was killed; it has what it had then. */
  void startAgain(int number) {
    servers.get(number - 1).start();
  }

  @Override
  public void close() {
    servers.forEach(PostgresServer::close);
  }
}
