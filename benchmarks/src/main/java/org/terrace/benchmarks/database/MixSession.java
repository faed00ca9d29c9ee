package org.terrace.benchmarks.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SplittableRandom;

/**
 * The session of one client: a connection that reads and one that writes, since an application's
 * pool does not change a connection's mode for each transaction either. Which rows it asks for
 * depends on the client's number alone. Confined to one thread.
 */
final class MixSession implements AutoCloseable {
  /** The number of stories. */
  static final int STORIES = 200;

  /** The number of rows that are written again and again. */
  static final int HOT_ROWS = 16;

  private static final long IDS_OF_A_CLIENT = 100_000_000;

  private final StatementMix mix;
  private final SplittableRandom random;
  private final Connection reading;
  private final Connection writing;
  private final PreparedStatement story;
  private final PreparedStatement remarks;
  private final PreparedStatement change;
  private final PreparedStatement entry;
  private long nextId;

  /**
   * Opens both connections.
   *
   * @param client from 1 on, so that no entry has the id of another client's or of those that were
   *     there before
   */
  MixSession(ConnectionSource source, StatementMix mix, int client) throws SQLException {
    this.mix = mix;
    random = new SplittableRandom(client);
    nextId = client * IDS_OF_A_CLIENT;
    reading = source.connect();
    writing = source.connect();
    writing.setAutoCommit(false);
    story = reading.prepareStatement("SELECT title, comments FROM story WHERE id = ?");
    remarks =
        reading.prepareStatement("SELECT id FROM remark WHERE story = ? ORDER BY id DESC LIMIT 20");
    change = writing.prepareStatement(mix.change());
    entry = writing.prepareStatement(mix.entry());
  }

  /** Whether the next transaction writes. */
  boolean isNextWrite() {
    return random.nextDouble() < mix.writeShare();
  }

  /**
   * Reads a story and its remarks.
   *
   * @return how many rows came
   */
  int read() throws SQLException {
    int id = 1 + random.nextInt(STORIES);
    return rows(story, id) + rows(remarks, id);
  }

  private static int rows(PreparedStatement query, int id) throws SQLException {
    query.setInt(1, id);
    int count = 0;
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }

  /** Changes a row and enters the change, in one transaction; after an error it is undone. */
  void write() throws SQLException {
    int row = 1 + random.nextInt(mix.rows());
    try {
      change.setInt(1, row);
      expectOne(change.executeUpdate());
      entry.setLong(1, nextId++);
      entry.setInt(2, row);
      expectOne(entry.executeUpdate());
      writing.commit();
    } catch (SQLException e) {
      undo(e);
      throw e;
    }
  }

  private static void expectOne(int rows) throws SQLException {
    if (rows != 1) {
      throw new SQLException("a statement that changes one row changed " + rows);
    }
  }

  private void undo(SQLException reason) {
    try {
      writing.rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }

  @Override
  public void close() throws SQLException {
    try (reading) {
      writing.close();
    }
  }
}
