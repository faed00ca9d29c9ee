package org.terrace.cluster.jdbc.inspection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.memory.MembershipTable;
import org.terrace.cluster.server.memory.MembershipTable.Wish;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.server.memory.ReplicaMemory;
import org.terrace.core.TimeSource;

/**
 * A request from outside to the process that owns a cluster: to add or remove a server. It goes by
 * the cluster's own tables, where the owner looks for it as often as it renews its ownership; so
 * only who may write there can make one. Immutable.
 */
public final class MembershipRequest {
  /** The changes of a cluster's servers. */
  public enum Change {
    /** One more. */
    ADD,
    /** One less. */
    REMOVE
  }

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private final ClusterConfiguration configuration;
  private final EngineDialect dialect;

  private MembershipRequest(ClusterConfiguration configuration) {
    this.configuration = configuration;
    this.dialect = EngineDialect.of(configuration.engine());
  }

  /**
   * A way to the owner of the cluster of a URL, of whose servers one must be active.
   *
   * @throws SQLException when the URL is wrong
   */
  public static MembershipRequest of(String url, Properties properties) throws SQLException {
    return new MembershipRequest(ClusterUrl.parse(url, properties));
  }

  /**
   * Asks for a change, and gives the servers after it. One that is added gets the others' data
   * after that.
   *
   * @param server its host and port
   * @param limit how long the owner may take to answer
   * @throws SQLException when it refuses or does not answer, or the cluster has no owner now
   */
  public List<String> ask(Change change, String server, Duration limit)
      throws SQLException, InterruptedException {
    Wish wish =
        new Wish(UUID.randomUUID().toString(), change.name().toLowerCase(Locale.ROOT), server);
    try (Connection connection = ownedServer()) {
      MembershipTable table = new MembershipTable(dialect);
      table.wish(connection, wish);
      long fromNanos = TimeSource.system().elapsedNanos();
      Optional<String> answer = table.answerTo(connection, wish);
      while (answer.isEmpty() && TimeSource.system().elapsedNanos() - fromNanos < limit.toNanos()) {
        TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
        answer = table.answerTo(connection, wish);
      }
      return servers(answer, limit);
    }
  }

  private static List<String> servers(Optional<String> answer, Duration limit) throws SQLException {
    if (answer.isEmpty()) {
      throw new SQLException(
          "The owner of the cluster did not answer within " + limit + ": look at it with status.",
          SqlStates.CANNOT_CONNECT);
    }
    String[] words = answer.get().split(" ", 2);
    if (!words[0].equals("done") || words.length < 2) {
      throw new SQLException(words.length < 2 ? answer.get() : words[1], SqlStates.NOT_SUPPORTED);
    }
    return Arrays.asList(words[1].split(" ", -1));
  }

  /** A connection to a server where the owner looks for wishes: one that it renews. */
  private Connection ownedServer() throws SQLException {
    SQLException failure = null;
    for (int i = 0; i < configuration.replicas().size(); i++) {
      try {
        Connection connection = new ReplicaServer(i, configuration).ask();
        ReplicaMemory memory = new OwnTables(dialect).read(connection);
        if (!memory.free() && memory.renewedMillis() < configuration.lease().toMillis()) {
          return connection;
        }
        connection.close();
      } catch (SQLException e) {
        failure = e;
      }
    }
    throw new SQLException(
        "No process owns the cluster now: open it with a URL that names other servers, and with membership=url if they were changed while it was open.",
        SqlStates.CANNOT_CONNECT,
        failure);
  }
}
