package org.terrace.cluster.server.memory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.server.dialect.EngineDialect;

/**
 * The cluster's own table {@code membership} at a replica: the servers that the cluster consists
 * of, and what somebody who may write there wishes of its owner.
 */
public final class MembershipTable {
  /**
   * A wish to the owner of a cluster.
   *
   * @param identity what its answer begins with
   * @param verb {@code add} or {@code remove}
   * @param server the host and port
   */
  public record Wish(String identity, String verb, String server) {
    @Override
    public String toString() {
      return identity + " " + verb + " " + server;
    }
  }

  private static final int ANSWER_MAX = 1_000;

  private final String membership;
  private final String state;

  /** The table as an engine names it. */
  public MembershipTable(EngineDialect dialect) {
    this.membership = dialect.own("membership");
    this.state = dialect.own("state");
  }

  /** Reads the servers. */
  public ServerList read(Connection connection) throws SQLException {
    List<@Nullable String> row =
        EngineDialect.rows(
                connection, "SELECT number, servers FROM " + membership + " WHERE id = 1")
            .getFirst();
    String servers = text(row, 1);
    return new ServerList(
        Long.parseLong(text(row, 0)),
        servers.isEmpty() ? List.of() : Arrays.asList(servers.split(" ", -1)));
  }

  /**
   * Remembers the servers, whatever the server remembered before, which may be of another cluster;
   * says whether the epoch still holds.
   */
  public boolean record(Connection connection, long epoch, ServerList list) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE %s SET number = %d, servers = ? WHERE id = 1 AND EXISTS (SELECT 1 FROM %s WHERE id = 1 AND epoch = %d)"
                .formatted(membership, list.number(), state, epoch))) {
      update.setString(1, String.join(" ", list.servers()));
      return update.executeUpdate() == 1;
    }
  }

  /** Writes a wish, in the place of any before it. */
  public void wish(Connection connection, Wish wish) throws SQLException {
    update(connection, "UPDATE " + membership + " SET wish = ? WHERE id = 1", wish.toString());
  }

  /** Takes a wish, which nobody else gets then. */
  public Optional<Wish> takeWish(Connection connection) throws SQLException {
    String wish =
        text(
            EngineDialect.rows(connection, "SELECT wish FROM " + membership + " WHERE id = 1")
                .getFirst(),
            0);
    if (wish.isEmpty()
        || update(
                connection,
                "UPDATE " + membership + " SET wish = '' WHERE id = 1 AND wish = ?",
                wish)
            == 0) {
      return Optional.empty();
    }
    String[] words = wish.split(" ", -1);
    return words.length == 3
        ? Optional.of(new Wish(words[0], words[1], words[2]))
        : Optional.empty();
  }

  /** Answers a wish. */
  public void answer(Connection connection, Wish wish, String answer) throws SQLException {
    String whole = wish.identity() + " " + answer;
    update(
        connection,
        "UPDATE " + membership + " SET answer = ? WHERE id = 1",
        whole.substring(0, Math.min(whole.length(), ANSWER_MAX)));
  }

  /** The answer to a wish, if there is one yet. */
  public Optional<String> answerTo(Connection connection, Wish wish) throws SQLException {
    String answer =
        text(
            EngineDialect.rows(connection, "SELECT answer FROM " + membership + " WHERE id = 1")
                .getFirst(),
            0);
    return answer.startsWith(wish.identity() + " ")
        ? Optional.of(answer.substring(wish.identity().length() + 1))
        : Optional.empty();
  }

  private static int update(Connection connection, String sql, String value) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setString(1, value);
      return update.executeUpdate();
    }
  }

  private static String text(List<@Nullable String> row, int column) {
    return Objects.requireNonNull(row.get(column));
  }
}
