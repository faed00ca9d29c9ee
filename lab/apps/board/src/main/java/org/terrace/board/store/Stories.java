package org.terrace.board.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * The statements on stories, new and old. Thread-safe.
 *
 * <p>Sizes of pages are literals of the statements, not parameters: the plan that the database
 * keeps for a prepared statement is made for the rows it will read.
 */
public final class Stories {
  /** How many stories a page lists. */
  public static final int PAGE_SIZE = 20;

  /** Days of the older stories that a page offers: about a week. */
  private static final int DAYS_OFFERED = 8;

  private static final String LINE =
      """
      SELECT s.id, s.title, s.excerpt, c.name, coalesce(u.nickname, ''),
             extract(epoch FROM s.posted)::bigint, s.comments
      """;
  private static final String NEWEST =
      LINE
          + """
          FROM (SELECT * FROM stories ORDER BY id DESC LIMIT %d) s
          JOIN categories c ON c.id = s.category LEFT JOIN users u ON u.id = s.writer
          ORDER BY s.id DESC
          """
              .formatted(PAGE_SIZE);
  private static final String IN_CATEGORY =
      LINE
          + """
          FROM (SELECT * FROM stories WHERE category = ? ORDER BY id DESC LIMIT %d OFFSET ?) s
          JOIN categories c ON c.id = s.category LEFT JOIN users u ON u.id = s.writer
          ORDER BY s.id DESC
          """
              .formatted(PAGE_SIZE + 1);
  private static final String OF_DAY =
      LINE
          + """
          FROM (
            (SELECT * FROM stories WHERE posted >= ? AND posted < ?)
            UNION ALL
            (SELECT * FROM old_stories WHERE posted >= ? AND posted < ?)
            ORDER BY id DESC LIMIT %d OFFSET ?) s
          JOIN categories c ON c.id = s.category LEFT JOIN users u ON u.id = s.writer
          ORDER BY s.id DESC
          """
              .formatted(PAGE_SIZE + 1);
  private static final String DAYS_BEFORE =
      """
      WITH RECURSIVE days (day, n) AS (
        SELECT greatest(
          (SELECT max(posted) FROM stories WHERE posted < ?),
          (SELECT max(posted) FROM old_stories WHERE posted < ?)), 1
        UNION ALL
        SELECT greatest(
          (SELECT max(posted) FROM stories WHERE posted < date_trunc('day', day, 'UTC')),
          (SELECT max(posted) FROM old_stories WHERE posted < date_trunc('day', day, 'UTC'))), n + 1
        FROM days WHERE day IS NOT NULL AND n < ?)
      SELECT (day AT TIME ZONE 'UTC')::date FROM days WHERE day IS NOT NULL ORDER BY day DESC
      """;
  private static final String DAY_AFTER =
      """
      SELECT (least(
        (SELECT min(posted) FROM stories WHERE posted >= ?),
        (SELECT min(posted) FROM old_stories WHERE posted >= ?)) AT TIME ZONE 'UTC')::date
      """;
  private static final String BY_ID =
      """
      SELECT s.id, s.title, s.body, s.category, c.name, coalesce(u.nickname, ''),
             extract(epoch FROM s.posted)::bigint, s.comments, s.old
      FROM (
        SELECT *, false AS old FROM stories WHERE id = ?
        UNION ALL
        SELECT *, true FROM old_stories WHERE id = ?) s
      JOIN categories c ON c.id = s.category LEFT JOIN users u ON u.id = s.writer
      """;
  private static final String FOUND =
      LINE
          + """
          FROM (
            (SELECT * FROM stories
             WHERE to_tsvector('simple', title) @@ plainto_tsquery('simple', ?)
             ORDER BY id DESC LIMIT ?)
            UNION ALL
            (SELECT * FROM old_stories
             WHERE to_tsvector('simple', title) @@ plainto_tsquery('simple', ?)
             ORDER BY id DESC LIMIT ?)
            ORDER BY id DESC LIMIT %d OFFSET ?) s
          JOIN categories c ON c.id = s.category LEFT JOIN users u ON u.id = s.writer
          ORDER BY s.id DESC
          """
              .formatted(PAGE_SIZE + 1);
  private static final String CATEGORIES = "SELECT id, name FROM categories ORDER BY name";
  private static final String CATEGORY = "SELECT id, name FROM categories WHERE id = ?";
  private static final String NEWEST_TITLES = "SELECT title FROM stories ORDER BY id DESC LIMIT ?";

  private final Database database;

  public Stories(Database database) {
    this.database = database;
  }

  /** The newest stories. */
  public List<StoryLine> newest() throws SQLException {
    return database.list(NEWEST, Stories::line);
  }

  /** The new stories of a category, the newest first. */
  public Slice<StoryLine> inCategory(int category, int page) throws SQLException {
    return Slice.of(
        database.list(IN_CATEGORY, Stories::line, category, page * PAGE_SIZE), page, PAGE_SIZE);
  }

  /** The stories of a day in UTC, the newest first. */
  public Slice<StoryLine> ofDay(LocalDate day, int page) throws SQLException {
    var from = Times.startOf(day);
    var to = Times.startOf(day.plusDays(1));
    return Slice.of(
        database.list(OF_DAY, Stories::line, from, to, from, to, page * PAGE_SIZE),
        page,
        PAGE_SIZE);
  }

  /** The last days before the given one that have stories, the newest first. */
  public List<LocalDate> daysBefore(LocalDate day) throws SQLException {
    var end = Times.startOf(day);
    return database.list(
        DAYS_BEFORE, row -> row.getObject(1, LocalDate.class), end, end, DAYS_OFFERED);
  }

  /** The first day after the given one that has stories. */
  public Optional<LocalDate> dayAfter(LocalDate day) throws SQLException {
    var start = Times.startOf(day.plusDays(1));
    return database
        .first(
            DAY_AFTER, row -> Optional.ofNullable(row.getObject(1, LocalDate.class)), start, start)
        .flatMap(found -> found);
  }

  /** A story, new or old. */
  public Optional<Story> byId(int id) throws SQLException {
    return database.first(BY_ID, Stories::story, id, id);
  }

  /** The stories whose titles have all of the words, the newest first. */
  public Slice<StoryLine> search(String words, int page) throws SQLException {
    int last = (page + 1) * PAGE_SIZE + 1;
    return Slice.of(
        database.list(FOUND, Stories::line, words, last, words, last, page * PAGE_SIZE),
        page,
        PAGE_SIZE);
  }

  /** All categories by name. */
  public List<Category> categories() throws SQLException {
    return database.list(CATEGORIES, row -> new Category(row.getInt(1), row.getString(2)));
  }

  /** A category. */
  public Optional<Category> category(int id) throws SQLException {
    return database.first(CATEGORY, row -> new Category(row.getInt(1), row.getString(2)), id);
  }

  /** The titles of the newest stories. */
  public List<String> newestTitles(int limit) throws SQLException {
    return database.list(NEWEST_TITLES, row -> row.getString(1), limit);
  }

  static StoryLine line(ResultSet row) throws SQLException {
    return new StoryLine(
        row.getInt(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getInt(7));
  }

  private static Story story(ResultSet row) throws SQLException {
    return new Story(
        row.getInt(1),
        row.getString(2),
        row.getString(3),
        row.getInt(4),
        row.getString(5),
        row.getString(6),
        row.getLong(7),
        row.getInt(8),
        row.getBoolean(9));
  }
}
