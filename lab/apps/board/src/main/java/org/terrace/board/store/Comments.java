package org.terrace.board.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The statements on comments, new and old, and on their moderation. Thread-safe. */
public final class Comments {
  /** The most comments that a page of a story or of a comment shows. */
  public static final int PAGE_SIZE = 50;

  /** The most characters of a comment's text that a story's page shows. */
  public static final int EXCERPT_CHARACTERS = 160;

  /** The least and the greatest rating of a comment. */
  public static final int LEAST_RATING = -1;

  public static final int GREATEST_RATING = 5;

  private static final int FOUND_SIZE = Stories.PAGE_SIZE;

  private static final String COUNT_AT_NEW_STORY = count("stories", "comments");
  private static final String COUNT_AT_OLD_STORY = count("old_stories", "old_comments");
  private static final String ADD_TO_NEW_STORY = add("comments");
  private static final String ADD_TO_OLD_STORY = add("old_comments");
  private static final String RATE_NEW = rate("comments");
  private static final String RATE_OLD = rate("old_comments");
  private static final String NEW_RATED = rated("comments");
  private static final String OLD_RATED = rated("old_comments");
  private static final String RATE_WRITER = "UPDATE users SET rating = rating + ? WHERE id = ?";
  private static final String LOG =
      "INSERT INTO moderator_log (moderator, comment, rating) VALUES (?, ?, ?)";

  private final Database database;
  private final BoardDialect dialect;
  private final String ofNewStory;
  private final String ofOldStory;
  private final String byId;
  private final String newThread;
  private final String oldThread;
  private final String found;

  public Comments(Database database) {
    this.database = database;
    this.dialect = database.dialect();
    String posted = dialect.seconds("c.posted");
    this.ofNewStory = ofStory("comments", "false", posted);
    this.ofOldStory = ofStory("old_comments", "true", posted);
    this.newThread = thread("comments", "false", posted);
    this.oldThread = thread("old_comments", "true", posted);
    this.byId =
        """
        SELECT c.id, c.story, coalesce(c.parent, 0), c.subject, c.body, true,
               coalesce(u.nickname, ''), c.rating, %s, c.old
        FROM (
          SELECT *, false AS old FROM comments WHERE id = ?
          UNION ALL
          SELECT *, true FROM old_comments WHERE id = ?) c
        LEFT JOIN users u ON u.id = c.writer
        """
            .formatted(posted);
    this.found =
        """
        SELECT c.id, c.story, coalesce(c.parent, 0), c.subject, substr(c.body, 1, %1$d),
               char_length(c.body) <= %1$d, coalesce(u.nickname, ''), c.rating, %4$s, false
        FROM (
          (SELECT * FROM comments WHERE %3$s ORDER BY id DESC LIMIT ?)
          UNION ALL
          (SELECT * FROM old_comments WHERE %3$s ORDER BY id DESC LIMIT ?)
          ORDER BY id DESC LIMIT %2$d OFFSET ?) c
        LEFT JOIN users u ON u.id = c.writer ORDER BY c.id DESC
        """
            .formatted(EXCERPT_CHARACTERS, FOUND_SIZE + 1, dialect.hasWords("subject"), posted);
  }

  /**
   * The comments on a story in the order of their ids, with the beginnings of their texts: an
   * answer comes after what it answers.
   */
  public Slice<Comment> onStory(Story story, int page) throws SQLException {
    return Slice.of(
        database.list(
            story.old() ? ofOldStory : ofNewStory, Comments::comment, story.id(), page * PAGE_SIZE),
        page,
        PAGE_SIZE);
  }

  /** A comment. */
  public Optional<Comment> byId(int id) throws SQLException {
    return database.first(byId, Comments::comment, id, id);
  }

  /** A comment and all that answers it, directly or not, by id; empty if there is none. */
  public Slice<Comment> thread(int id) throws SQLException {
    List<Comment> found = database.list(newThread, Comments::comment, id);
    if (found.isEmpty()) {
      found = database.list(oldThread, Comments::comment, id);
    }
    return Slice.of(found, 0, PAGE_SIZE);
  }

  /** The comments whose subjects have all of the words, the newest first. */
  public Slice<Comment> search(String words, int page) throws SQLException {
    int last = (page + 1) * FOUND_SIZE + 1;
    String wanted = dialect.words(words);
    return Slice.of(
        database.list(found, Comments::comment, wanted, last, wanted, last, page * FOUND_SIZE),
        page,
        FOUND_SIZE);
  }

  /**
   * Adds a comment to a story and counts it there, in one transaction.
   *
   * @param parent the comment that it answers; 0: the story
   * @param writer the user; 0: anonymous
   * @return the comment's id; empty if there is no such story, or no such parent on it
   */
  public OptionalInt add(int story, int parent, int writer, String subject, String body)
      throws SQLException {
    return database.transaction(connection -> {
      String sql = ADD_TO_NEW_STORY;
      if (!count(connection, COUNT_AT_NEW_STORY, story, parent)) {
        sql = ADD_TO_OLD_STORY;
        if (!count(connection, COUNT_AT_OLD_STORY, story, parent)) {
          return OptionalInt.empty();
        }
      }
      return Database.first(
              connection, sql, row -> row.getInt(1), story, parent, writer, subject, body)
          .map(OptionalInt::of)
          .orElseThrow();
    });
  }

  private static boolean count(Connection connection, String sql, int story, int parent)
      throws SQLException {
    return Database.update(connection, sql, story, parent, parent, story) == 1;
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
      boolean isNew = Database.update(connection, RATE_NEW, change, comment) == 1;
      if (!isNew && Database.update(connection, RATE_OLD, change, comment) == 0) {
        return Optional.empty();
      }
      Optional<Rated> rated =
          Database.first(connection, isNew ? NEW_RATED : OLD_RATED, Comments::rated, comment);
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

  private static String ofStory(String table, String old, String posted) {
    return """
    SELECT c.id, c.story, coalesce(c.parent, 0), c.subject, substr(c.body, 1, %1$d),
           char_length(c.body) <= %1$d, coalesce(u.nickname, ''), c.rating, %5$s, %3$s
    FROM (SELECT * FROM %2$s WHERE story = ? ORDER BY id LIMIT %4$d OFFSET ?) c
    LEFT JOIN users u ON u.id = c.writer ORDER BY c.id
    """
        .formatted(EXCERPT_CHARACTERS, table, old, PAGE_SIZE + 1, posted);
  }

  private static String thread(String table, String old, String posted) {
    return """
    WITH RECURSIVE thread AS (
      SELECT * FROM %1$s WHERE id = ?
      UNION ALL
      SELECT c.* FROM %1$s c JOIN thread t ON c.parent = t.id)
    SELECT c.id, c.story, coalesce(c.parent, 0), c.subject, c.body, true,
           coalesce(u.nickname, ''), c.rating, %4$s, %2$s
    FROM (SELECT * FROM thread ORDER BY id LIMIT %3$d) c
    LEFT JOIN users u ON u.id = c.writer ORDER BY c.id
    """
        .formatted(table, old, PAGE_SIZE + 1, posted);
  }

  private static String count(String stories, String comments) {
    return """
    UPDATE %1$s SET comments = comments + 1
    WHERE id = ? AND (? = 0 OR EXISTS (SELECT 1 FROM %2$s WHERE id = ? AND story = ?))
    """
        .formatted(stories, comments);
  }

  private static String add(String comments) {
    return """
    INSERT INTO %s (story, parent, writer, subject, body)
    VALUES (?, nullif(?, 0), nullif(?, 0), ?, ?) RETURNING id
    """
        .formatted(comments);
  }

  private static String rate(String table) {
    return "UPDATE %s SET rating = least(%d, greatest(%d, rating + ?)) WHERE id = ?"
        .formatted(table, GREATEST_RATING, LEAST_RATING);
  }

  private static String rated(String table) {
    return "SELECT rating, story, coalesce(writer, 0) FROM %s WHERE id = ?".formatted(table);
  }
}
