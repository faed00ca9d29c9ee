package org.terrace.board.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The statements on comments, new and old, and on their moderation. Thread-safe. */
public final class Comments {
  /** How many comments a page of a story or of a comment shows at most. */
  public static final int PAGE_SIZE = 50;

  /** How much of a comment's text a story's page shows, in characters. */
  public static final int EXCERPT_CHARACTERS = 160;

  /** The least and the greatest rating of a comment. */
  public static final int LEAST_RATING = -1;

  public static final int GREATEST_RATING = 5;

  private static final int FOUND_SIZE = Stories.PAGE_SIZE;

  private static final String OF_NEW_STORY = ofStory("comments", "false");
  private static final String OF_OLD_STORY = ofStory("old_comments", "true");
  private static final String BY_ID =
      """
      SELECT c.id, c.story, coalesce(c.parent, 0), c.subject, c.body, true,
             coalesce(u.nickname, ''), c.rating, extract(epoch FROM c.posted)::bigint, c.old
      FROM (
        SELECT *, false AS old FROM comments WHERE id = ?
        UNION ALL
        SELECT *, true FROM old_comments WHERE id = ?) c
      LEFT JOIN users u ON u.id = c.writer
      """;
  private static final String NEW_THREAD = thread("comments", "false");
  private static final String OLD_THREAD = thread("old_comments", "true");
  private static final String FOUND =
      """
      SELECT c.id, c.story, coalesce(c.parent, 0), c.subject, substr(c.body, 1, %1$d),
             length(c.body) <= %1$d, coalesce(u.nickname, ''), c.rating,
             extract(epoch FROM c.posted)::bigint, false
      FROM (
        (SELECT * FROM comments
         WHERE to_tsvector('simple', subject) @@ plainto_tsquery('simple', ?)
         ORDER BY id DESC LIMIT ?)
        UNION ALL
        (SELECT * FROM old_comments
         WHERE to_tsvector('simple', subject) @@ plainto_tsquery('simple', ?)
         ORDER BY id DESC LIMIT ?)
        ORDER BY id DESC LIMIT %2$d OFFSET ?) c
      LEFT JOIN users u ON u.id = c.writer ORDER BY c.id DESC
      """
          .formatted(EXCERPT_CHARACTERS, FOUND_SIZE + 1);
  private static final String ADD_TO_NEW_STORY = add("stories", "comments");
  private static final String ADD_TO_OLD_STORY = add("old_stories", "old_comments");
  private static final String RATE_NEW = rate("comments");
  private static final String RATE_OLD = rate("old_comments");
  private static final String RATE_WRITER = "UPDATE users SET rating = rating + ? WHERE id = ?";
  private static final String LOG =
      "INSERT INTO moderator_log (moderator, comment, rating) VALUES (?, ?, ?)";

  private final Database database;

  public Comments(Database database) {
    this.database = database;
  }

  /**
   * The comments on a story in the order of their ids, with the beginnings of their texts: an
   * answer comes after what it answers.
   */
  public Slice<Comment> onStory(Story story, int page) throws SQLException {
    return Slice.of(
        database.list(
            story.old() ? OF_OLD_STORY : OF_NEW_STORY,
            Comments::comment,
            story.id(),
            page * PAGE_SIZE),
        page,
        PAGE_SIZE);
  }

  /** A comment. */
  public Optional<Comment> byId(int id) throws SQLException {
    return database.first(BY_ID, Comments::comment, id, id);
  }

  /** A comment and all that answers it, directly or not, by id; empty if there is none. */
  public Slice<Comment> thread(int id) throws SQLException {
    List<Comment> found = database.list(NEW_THREAD, Comments::comment, id);
    if (found.isEmpty()) {
      found = database.list(OLD_THREAD, Comments::comment, id);
    }
    return Slice.of(found, 0, PAGE_SIZE);
  }

  /** The comments whose subjects have all of the words, the newest first. */
  public Slice<Comment> search(String words, int page) throws SQLException {
    int last = (page + 1) * FOUND_SIZE + 1;
    return Slice.of(
        database.list(FOUND, Comments::comment, words, last, words, last, page * FOUND_SIZE),
        page,
        FOUND_SIZE);
  }

  /**
   * Adds a comment to a story and counts it there, in one statement.
   *
   * @param parent the comment that it answers; 0: the story
   * @param writer the user; 0: anonymous
   * @return the comment's id; empty if there is no such story, or no such parent on it
   */
  public OptionalInt add(int story, int parent, int writer, String subject, String body)
      throws SQLException {
    Optional<Integer> added = add(ADD_TO_NEW_STORY, story, parent, writer, subject, body);
    if (added.isEmpty()) {
      added = add(ADD_TO_OLD_STORY, story, parent, writer, subject, body);
    }
    return added.map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /**
   * A comment that has been rated.
   *
   * @param rating its rating now
   * @param story the story that it is on
   * @param writer the user who wrote it; 0: anonymous
   */
  public record Rated(int rating, int story, int writer) {}

  /**
   * Rates a comment: changes its rating within its bounds, changes its writer's, and logs both.
   *
   * @return empty if there is no such comment
   */
  public Optional<Rated> rate(int comment, int change, Member moderator) throws SQLException {
    return database.transaction(connection -> {
      Optional<Rated> rated =
          Database.first(connection, RATE_NEW, Comments::rated, change, comment);
      if (rated.isEmpty()) {
        rated = Database.first(connection, RATE_OLD, Comments::rated, change, comment);
      }
      if (rated.isEmpty()) {
        return rated;
      }
      int writer = rated.get().writer();
      if (change != 0 && writer != 0) {
        Database.update(connection, RATE_WRITER, change, writer);
      }
      Database.update(connection, LOG, moderator.id(), comment, change);
      return rated;
    });
  }

  private Optional<Integer> add(
      String sql, int story, int parent, int writer, String subject, String body)
      throws SQLException {
    return database.first(
        sql, row -> row.getInt(1), story, parent, parent, story, parent, writer, subject, body);
  }

  private static Rated rated(ResultSet row) throws SQLException {
    return new Rated(row.getInt(1), row.getInt(2), row.getInt(3));
  }

  private static Comment comment(ResultSet row) throws SQLException {
    return new Comment(
        row.getInt(1),
        row.getInt(2),
        row.getInt(3),
        row.getString(4),
        row.getString(5),
        row.getBoolean(6),
        row.getString(7),
        row.getInt(8),
        row.getLong(9),
        row.getBoolean(10));
  }

  private static String ofStory(String table, String old) {
    return """
    SELECT c.id, c.story, coalesce(c.parent, 0), c.subject, substr(c.body, 1, %1$d),
           length(c.body) <= %1$d, coalesce(u.nickname, ''), c.rating,
           extract(epoch FROM c.posted)::bigint, %3$s
    FROM (SELECT * FROM %2$s WHERE story = ? ORDER BY id LIMIT %4$d OFFSET ?) c
    LEFT JOIN users u ON u.id = c.writer ORDER BY c.id
    """
        .formatted(EXCERPT_CHARACTERS, table, old, PAGE_SIZE + 1);
  }

  private static String thread(String table, String old) {
    return """
    WITH RECURSIVE thread AS (
      SELECT * FROM %1$s WHERE id = ?
      UNION ALL
      SELECT c.* FROM %1$s c JOIN thread t ON c.parent = t.id)
    SELECT c.id, c.story, coalesce(c.parent, 0), c.subject, c.body, true,
           coalesce(u.nickname, ''), c.rating, extract(epoch FROM c.posted)::bigint, %2$s
    FROM (SELECT * FROM thread ORDER BY id LIMIT %3$d) c
    LEFT JOIN users u ON u.id = c.writer ORDER BY c.id
    """
        .formatted(table, old, PAGE_SIZE + 1);
  }

  private static String add(String stories, String comments) {
    return """
    WITH counted AS (
      UPDATE %1$s SET comments = comments + 1
      WHERE id = ? AND (? = 0 OR EXISTS (SELECT FROM %2$s WHERE id = ? AND story = ?))
      RETURNING id)
    INSERT INTO %2$s (story, parent, writer, subject, body)
    SELECT id, nullif(?, 0), nullif(?, 0), ?, ? FROM counted RETURNING id
    """
        .formatted(stories, comments);
  }

  private static String rate(String table) {
    return """
    UPDATE %s SET rating = least(%d, greatest(%d, rating + ?)) WHERE id = ?
    RETURNING rating, story, coalesce(writer, 0)
    """
        .formatted(table, GREATEST_RATING, LEAST_RATING);
  }
}
