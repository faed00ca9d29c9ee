package org.terrace.cluster.server.memory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.server.dialect.EngineDialect;

/**
 * The cluster's own tables at a replica: {@code applied} (the positions of committed transactions),
 * {@code owner} (the epoch that every commit reads) and {@code state} (the rest, so that nothing
 * that is written there waits for a commit).
 */
public final class OwnTables {
  private static final int DEFINITION_MAX = 500;

  private final EngineDialect dialect;
  private final String applied;
  private final String owner;
  private final String state;
  private final String defining;

  /** The tables as an engine names them. */
  public OwnTables(EngineDialect dialect) {
    this.dialect = dialect;
    this.applied = dialect.own("applied");
    this.owner = dialect.own("owner");
    this.state = dialect.own("state");
    this.defining = dialect.own("defining");
  }

  /** Makes the tables where they are missing. */
  public void make(Connection connection) throws SQLException {
    for (String statement : dialect.makeOwn()) {
      execute(connection, statement);
    }
  }

  /** Reads all of it. */
  public ReplicaMemory read(Connection connection) throws SQLException {
    List<@Nullable String> row =
        EngineDialect.rows(
                connection,
                "SELECT o.epoch, s.owner, s.free, %s, s.view_number, s.members, s.floor, s.log, s.diverged FROM %s o, %s s WHERE o.id = 1 AND s.id = 1"
                    .formatted(dialect.millisSince("s.renewed"), owner, state))
            .getFirst();
    TreeSet<Long> positions = new TreeSet<>();
    for (List<@Nullable String> one :
        EngineDialect.rows(connection, "SELECT position FROM " + applied)) {
      positions.add(number(one, 0));
    }
    long floor = number(row, 6);
    positions.headSet(floor, true).clear();
    String members = text(row, 5);
    return new ReplicaMemory(
        number(row, 0),
        text(row, 1),
        number(row, 2) != 0,
        number(row, 3),
        number(row, 4),
        members.isEmpty() ? List.of() : Arrays.asList(members.split(" ", -1)),
        floor,
        text(row, 7),
        text(row, 8),
        positions);
  }

  /**
   * The definition that was begun here, and of which it is not known, or not committed, whether it
   * was done; empty: there is none.
   */
  public String definition(Connection connection) throws SQLException {
    return ofDefining(connection, "definition");
  }

  /**
   * The name of the last moment at which what one replica had was taken for what all are to have,
   * whatever it was of a definition. Replicas of other names may differ, though they remember the
   * same positions.
   */
  public String lineage(Connection connection) throws SQLException {
    return ofDefining(connection, "lineage");
  }

  private String ofDefining(Connection connection, String column) throws SQLException {
    return dialect.definitionsCommit()
        ? text(
            EngineDialect.rows(
                    connection, "SELECT COALESCE(MAX(" + column + "), '') FROM " + defining)
                .getFirst(),
            0)
        : "";
  }

  /**
   * Remembers a definition that is begun here, unless there is another of which nothing is known.
   */
  void begin(Connection connection, String definition) throws SQLException {
    update(
        connection,
        "INSERT INTO %s VALUES (1, ?, '') ON DUPLICATE KEY UPDATE"
            + " definition = IF(definition = '', VALUES(definition), definition)",
        definition);
  }

  /**
   * Forgets a definition that has failed, or is to be committed. Whoever commits it has marked its
   * position before: so whoever keeps others from this keeps them from the epoch, too.
   */
  public void forget(Connection connection, String definition) throws SQLException {
    if (dialect.definitionsCommit()) {
      update(connection, "UPDATE %s SET definition = '' WHERE definition = ?", cut(definition));
    }
  }

  /**
   * Takes what a replica has for what all are to have, whatever it has of a definition.
   *
   * @param lineage the name of this moment
   */
  public void settle(Connection connection, String lineage) throws SQLException {
    if (dialect.definitionsCommit()) {
      update(
          connection,
          "INSERT INTO %s VALUES (1, '', ?) ON DUPLICATE KEY UPDATE definition = '',"
              + " lineage = VALUES(lineage)",
          lineage);
    }
  }

  /** As much of a definition as is remembered. */
  static String cut(String definition) {
    return definition.substring(0, Math.min(definition.length(), DEFINITION_MAX));
  }

  private void update(Connection connection, String sql, String value) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql.formatted(defining))) {
      update.setString(1, value);
      update.executeUpdate();
    }
  }

  /**
   * Takes ownership, if the epoch is still the old one. It waits for the commits that read the old
   * epoch; after that none can.
   */
  public boolean take(Connection connection, long oldEpoch, long newEpoch, String name)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      for (String statement : dialect.lockOwn(owner)) {
        execute(connection, statement);
      }
      boolean taken =
          execute(
                  connection,
                  "UPDATE %s SET epoch = %d WHERE id = 1 AND epoch = %d"
                      .formatted(owner, newEpoch, oldEpoch))
              == 1;
      if (taken) {
        try (PreparedStatement update =
            connection.prepareStatement(
                "UPDATE %s SET epoch = %d, owner = ?, free = 0, renewed = %s WHERE id = 1"
                    .formatted(state, newEpoch, dialect.clock()))) {
          update.setString(1, name);
          update.executeUpdate();
        }
      }
      connection.commit();
      return taken;
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** Renews ownership and forgets positions up to the floor; says whether it is still held. */
  public boolean renew(Connection connection, long epoch, long floor) throws SQLException {
    boolean held =
        execute(
                connection,
                "UPDATE %s SET renewed = %s, floor = GREATEST(floor, %d) WHERE id = 1 AND epoch = %d"
                    .formatted(state, dialect.clock(), floor, epoch))
            == 1;
    if (held) {
      execute(connection, "DELETE FROM %s WHERE position <= %d".formatted(applied, floor));
    }
    return held;
  }

  /** Gives ownership back. */
  public void release(Connection connection, long epoch) throws SQLException {
    execute(
        connection, "UPDATE %s SET free = 1 WHERE id = 1 AND epoch = %d".formatted(state, epoch));
  }

  /** Remembers who is active, and the log; says whether the epoch still holds. */
  public boolean recordView(
      Connection connection, long epoch, long view, List<String> members, String log)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE %s SET view_number = %d, members = ?, log = ? WHERE id = 1 AND epoch = %d"
                .formatted(state, view, epoch))) {
      update.setString(1, String.join(" ", members));
      update.setString(2, log);
      return update.executeUpdate() == 1;
    }
  }

  /** Remembers that the data are not to be trusted. */
  public void markDiverged(Connection connection, String reason) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE %s SET diverged = ? WHERE id = 1".formatted(state))) {
      update.setString(1, reason.substring(0, Math.min(reason.length(), 500)));
      update.executeUpdate();
    }
  }

  /**
   * Takes over what another replica remembers, whose data have been copied here, and trusts them
   * from now on.
   *
   * @param lineage what {@link #lineage} is there
   * @return whether the epoch still holds
   */
  public boolean adopt(Connection connection, long epoch, ReplicaMemory theirs, String lineage)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      execute(connection, "DELETE FROM " + applied);
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO " + applied + " (position, epoch) VALUES (?, ?)")) {
        for (long position : theirs.applied()) {
          insert.setLong(1, position);
          insert.setLong(2, epoch);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      boolean held;
      try (PreparedStatement update =
          connection.prepareStatement(
              "UPDATE %s SET floor = %d, view_number = %d, members = ?, log = ?, diverged = '' WHERE id = 1 AND epoch = %d"
                  .formatted(state, theirs.floor(), theirs.view(), epoch))) {
        update.setString(1, String.join(" ", theirs.members()));
        update.setString(2, theirs.log());
        held = update.executeUpdate() == 1;
      }
      settle(connection, lineage);
      connection.commit();
      return held;
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /**
   * Writes a transaction's position within it, and holds the epoch until its end.
   *
   * @return whether the epoch still holds
   */
  public boolean mark(Connection connection, long position, long epoch) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(dialect.mark(applied, owner, position, epoch));
      while (statement.getUpdateCount() == 0 && !statement.getMoreResults()) {
        if (statement.getUpdateCount() < 0) {
          return false;
        }
      }
      return statement.getUpdateCount() == 1;
    }
  }

  private static int execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private static long number(List<@Nullable String> row, int column) {
    return Long.parseLong(text(row, column));
  }

  private static String text(List<@Nullable String> row, int column) {
    return Objects.requireNonNull(row.get(column));
  }
}
