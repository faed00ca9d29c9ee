package org.terrace.board.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;

/** The statements on stories that wait for a decision. Thread-safe. */
public final class Submissions {
  /** Counting stops here: the page then says "1,000 or more". */
  public static final int COUNTED_AT_MOST = 1_000;

  private static final String CATEGORY = "SELECT id FROM categories WHERE id = ?";
  private static final String ADD =
      """
      INSERT INTO submissions (category, writer, title, body)
      VALUES (?, nullif(?, 0), ?, ?) RETURNING id
      """;
  private static final String COUNT =
      "SELECT count(*) FROM (SELECT 1 FROM submissions LIMIT " + COUNTED_AT_MOST + ") AS waiting";
  private static final String DECIDE =
      "DELETE FROM submissions WHERE id = ? RETURNING category, coalesce(writer, 0), title, body";
  private static final String PUBLISH =
      """
      INSERT INTO stories (category, writer, title, excerpt, body)
      VALUES (?, nullif(?, 0), ?, ?, ?) RETURNING id
      """;
  private static final String REJECT = "DELETE FROM submissions WHERE id = ? RETURNING id";

  private final Database database;
  private final String waiting;

  public Submissions(Database database) {
    this.database = database;
    this.waiting =
        """
        SELECT s.id, s.title, s.body, c.name, coalesce(u.nickname, ''), %2$s
        FROM (SELECT * FROM submissions ORDER BY id LIMIT %1$d OFFSET ?) s
        JOIN categories c ON c.id = s.category LEFT JOIN users u ON u.id = s.writer ORDER BY s.id
        """
            .formatted(Stories.PAGE_SIZE + 1, database.dialect().seconds("s.posted"));
  }

  /**
   * Adds a submission.
   *
   * @param writer the user; 0: anonymous
   * @return its id; empty if there is no such category
   */
  public OptionalInt add(int category, int writer, String title, String body) throws SQLException {
    // No category is ever taken away.
    if (database.first(CATEGORY, row -> row.getInt(1), category).isEmpty()) {
      return OptionalInt.empty();
    }
    return number(database.first(ADD, row -> row.getInt(1), category, writer, title, body));
  }

  /** The submissions that wait, the oldest first. */
  public Slice<Submission> waiting(int page) throws SQLException {
    int size = Stories.PAGE_SIZE;
    return Slice.of(database.list(waiting, Submissions::submission, page * size), page, size);
  }

  /** The number of submissions that wait, at most {@value #COUNTED_AT_MOST}. */
  public int count() throws SQLException {
    return database.first(COUNT, row -> row.getInt(1)).orElse(0);
  }

  /**
   * Makes a story of a submission, in one transaction.
   *
   * @return the story's id; empty if the submission was decided on before
   */
  public OptionalInt accept(int submission) throws SQLException {
    return database.transaction(connection -> {
      Optional<Decided> decided =
          Database.first(connection, DECIDE, Submissions::decided, submission);
      if (decided.isEmpty()) {
        return OptionalInt.empty();
      }
      Decided story = decided.get();
      return number(
          Database.first(
              connection,
              PUBLISH,
              row -> row.getInt(1),
              story.category(),
              story.writer(),
              story.title(),
              Excerpts.of(story.body()),
              story.body()));
    });
  }

  /** Drops a submission; false if it was decided on before. */
  public boolean reject(int submission) throws SQLException {
    return database.first(REJECT, row -> row.getInt(1), submission).isPresent();
  }

  /** A submission that is no longer there; writer 0: anonymous. */
  private record Decided(int category, int writer, String title, String body) {}

  private static Decided decided(ResultSet row) throws SQLException {
    return new Decided(row.getInt(1), row.getInt(2), row.getString(3), row.getString(4));
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
