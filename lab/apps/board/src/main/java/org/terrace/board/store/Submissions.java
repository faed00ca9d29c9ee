package org.terrace.board.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;

/** The statements on stories that wait for a decision. Thread-safe. */
public final class Submissions {
  /** Counting stops here: the page then says "1,000 or more". */
  public static final int COUNTED_AT_MOST = 1_000;

  private static final String ADD =
      """
      INSERT INTO submissions (category, writer, title, body)
      SELECT id, nullif(?, 0), ?, ? FROM categories WHERE id = ? RETURNING id
      """;
  private static final String WAITING =
      """
      SELECT s.id, s.title, s.body, c.name, coalesce(u.nickname, ''),
             extract(epoch FROM s.posted)::bigint
      FROM (SELECT * FROM submissions ORDER BY id LIMIT %d OFFSET ?) s
      JOIN categories c ON c.id = s.category LEFT JOIN users u ON u.id = s.writer ORDER BY s.id
      """
          .formatted(Stories.PAGE_SIZE + 1);
  private static final String COUNT =
      "SELECT count(*) FROM (SELECT FROM submissions LIMIT " + COUNTED_AT_MOST + ") AS waiting";
  private static final String ACCEPT =
      """
      WITH decided AS (DELETE FROM submissions WHERE id = ? RETURNING *)
      INSERT INTO stories (category, writer, title, excerpt, body)
      SELECT category, writer, title, left(body, %d), body FROM decided RETURNING id
      """
          .formatted(Excerpts.CHARACTERS);
  private static final String REJECT = "DELETE FROM submissions WHERE id = ? RETURNING id";

  private final Database database;

  public Submissions(Database database) {
    this.database = database;
  }

  /**
   * Adds a submission.
   *
   * @param writer the user; 0: anonymous
   * @return its id; empty if there is no such category
   */
  public OptionalInt add(int category, int writer, String title, String body) throws SQLException {
    return number(database.first(ADD, row -> row.getInt(1), writer, title, body, category));
  }

  /** The submissions that wait, the oldest first. */
  public Slice<Submission> waiting(int page) throws SQLException {
    int size = Stories.PAGE_SIZE;
    return Slice.of(database.list(WAITING, Submissions::submission, page * size), page, size);
  }

  /** How many submissions wait, at most {@value #COUNTED_AT_MOST}. */
  public int count() throws SQLException {
    return database.first(COUNT, row -> row.getInt(1)).orElse(0);
  }

  /**
   * Makes a story of a submission, in one statement.
   *
   * @return the story's id; empty if the submission was decided on before
   */
  public OptionalInt accept(int submission) throws SQLException {
    return number(database.first(ACCEPT, row -> row.getInt(1), submission));
  }

  /** Drops a submission; false if it was decided on before. */
  public boolean reject(int submission) throws SQLException {
    return database.first(REJECT, row -> row.getInt(1), submission).isPresent();
  }

  private static OptionalInt number(Optional<Integer> found) {
    return found.map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private static Submission submission(ResultSet row) throws SQLException {
    return new Submission(
        row.getInt(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6));
  }
}
