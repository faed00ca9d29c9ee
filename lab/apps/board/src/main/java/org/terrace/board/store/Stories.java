package org.terrace.board.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The statements on stories, new and old. Thread-safe.
 *
 * <p>Sizes of pages are literals of the statements, not parameters: the plan that the database
 * keeps for a prepared statement is made for the rows it will read.
 */
public final class Stories {
  /** The most stories that a page lists. */
  public static final int PAGE_SIZE = 20;

  /** Days of the older stories that a page offers: about a week. */
  private static final int DAYS_OFFERED = 8;

  /** Before and after all stories: the least and the greatest of times ignore what is not there. */
  private static final String FIRST_MOMENT = "1000-01-01 00:00:00";

  private static final String LAST_MOMENT = "9999-12-31 00:00:00";

  private static final String AUTHORS =
      """
      JOIN categories c ON c.id = s.category LEFT JOIN users u ON u.id = s.writer
      """;
  private static final String NEWEST_FIRST = "ORDER BY s.id DESC";
  private static final String CATEGORIES = "SELECT id, name FROM categories ORDER BY name";
  private static final String CATEGORY = "SELECT id, name FROM categories WHERE id = ?";
  private static final String NEWEST_TITLES = "SELECT title FROM stories ORDER BY id DESC LIMIT ?";

  private final Database database;
  private final BoardDialect dialect;
  private final String newest;
  private final String inCategory;
  private final String ofDay;
  private final String daysBefore;
  private final String dayAfter;
  private final String byId;
  private final String found;

  public Stories(Database database) {
    this.database = database;
    this.dialect = database.dialect();
    this.newest = lines("SELECT * FROM stories ORDER BY id DESC LIMIT %d".formatted(PAGE_SIZE));
    this.inCategory =
        lines(
            "SELECT * FROM stories WHERE category = ? ORDER BY id DESC LIMIT %d OFFSET ?"
                .formatted(PAGE_SIZE + 1));
    this.ofDay =
        lines(
            """
            (SELECT * FROM stories WHERE posted >= ? AND posted < ?)
            UNION ALL
            (SELECT * FROM old_stories WHERE posted >= ? AND posted < ?)
            ORDER BY id DESC LIMIT %d OFFSET ?
            """
                .formatted(PAGE_SIZE + 1));
    this.found =
        lines(
            """
            (SELECT * FROM stories WHERE %1$s ORDER BY id DESC LIMIT ?)
            UNION ALL
            (SELECT * FROM old_stories WHERE %1$s ORDER BY id DESC LIMIT ?)
            ORDER BY id DESC LIMIT %2$d OFFSET ?
            """
                .formatted(dialect.hasWords("title"), PAGE_SIZE + 1));
    this.byId =
        """
        SELECT s.id, s.title, s.body, s.category, c.name, coalesce(u.nickname, ''),
               %s, s.comments, s.old
        FROM (
          SELECT *, false AS old FROM stories WHERE id = ?
          UNION ALL
          SELECT *, true FROM old_stories WHERE id = ?) s
        %s
        """
            .formatted(dialect.seconds("s.posted"), AUTHORS);
    this.daysBefore = daysBefore(dialect);
    this.dayAfter = dayAfter(dialect);
  }

  private String lines(String rows) {
    return """
    SELECT s.id, s.title, s.excerpt, c.name, coalesce(u.nickname, ''), %s, s.comments
    FROM (%s) s %s %s
    """
        .formatted(dialect.seconds("s.posted"), rows, AUTHORS, NEWEST_FIRST);
  }

  private static String daysBefore(BoardDialect dialect) {
    return """
    WITH RECURSIVE days (day, n) AS (
      SELECT %1$s, 1
      UNION ALL
      SELECT %2$s, n + 1 FROM days WHERE day IS NOT NULL AND n < ?)
    SELECT %3$s FROM days WHERE day IS NOT NULL ORDER BY day DESC
    """
        .formatted(
            newestBefore(dialect, "?"),
            newestBefore(dialect, dialect.startOfDay("day")),
            dialect.day("day"));
  }

  /** The newest moment before another at which a story was posted; null if there is none. */
  private static String newestBefore(BoardDialect dialect, String moment) {
    return """
    nullif(greatest(
      coalesce((SELECT max(posted) FROM stories WHERE posted < %1$s), %2$s),
      coalesce((SELECT max(posted) FROM old_stories WHERE posted < %1$s), %2$s)), %2$s)
    """
        .formatted(moment, dialect.moment(FIRST_MOMENT));
  }

  private static String dayAfter(BoardDialect dialect) {
    String oldest =
        """
        nullif(least(
          coalesce((SELECT min(posted) FROM stories WHERE posted >= ?), %1$s),
          coalesce((SELECT min(posted) FROM old_stories WHERE posted >= ?), %1$s)), %1$s)
        """
            .formatted(dialect.moment(LAST_MOMENT));
    return "SELECT " + dialect.day(oldest);
  }

  /** The newest stories. */
  public List<StoryLine> newest() throws SQLException {
    return database.list(newest, Stories::line);
  }

  /** The new stories of a category, the newest first. */
  public Slice<StoryLine> inCategory(int category, int page) throws SQLException {
    return Slice.of(
        database.list(inCategory, Stories::line, category, page * PAGE_SIZE), page, PAGE_SIZE);
  }

  /** The stories of a day in UTC, the newest first. */
  public Slice<StoryLine> ofDay(LocalDate day, int page) throws SQLException {
    var from = dialect.startOf(day);
    var to = dialect.startOf(day.plusDays(1));
    return Slice.of(
        database.list(ofDay, Stories::line, from, to, from, to, page * PAGE_SIZE), page, PAGE_SIZE);
  }

  /** The last days before the given one that have stories, the newest first. */
  public List<LocalDate> daysBefore(LocalDate day) throws SQLException {
    if (dialect == BoardDialect.NDB_LIKE) {
      return daysBeforeOneByOne(day);
    }
    var end = dialect.startOf(day);
    return database.list(
        daysBefore, row -> row.getObject(1, LocalDate.class), end, end, DAYS_OFFERED);
  }

  /**
   * The same by a question for each day: what a step of a recursion asks of data nodes is the first
   * step's question again.
   */
  private List<LocalDate> daysBeforeOneByOne(LocalDate day) throws SQLException {
    List<LocalDate> days = new ArrayList<>();
    String before = "SELECT " + dialect.day(newestBefore(dialect, "?"));
    LocalDate last = day;
    while (days.size() < DAYS_OFFERED) {
      var end = dialect.startOf(last);
      Optional<LocalDate> found =
          database
              .first(
                  before, row -> Optional.ofNullable(row.getObject(1, LocalDate.class)), end, end)
              .flatMap(each -> each);
      if (found.isEmpty()) {
        return days;
      }
      last = found.get();
      days.add(last);
    }
    return days;
  }

  /** The first day after the given one that has stories. */
  public Optional<LocalDate> dayAfter(LocalDate day) throws SQLException {
    var start = dialect.startOf(day.plusDays(1));
    return database
        .first(
            dayAfter, row -> Optional.ofNullable(row.getObject(1, LocalDate.class)), start, start)
        .flatMap(found -> found);
  }

  /** A story, new or old. */
  public Optional<Story> byId(int id) throws SQLException {
    return database.first(byId, Stories::story, id, id);
  }

  /** The stories whose titles have all of the words, the newest first. */
  public Slice<StoryLine> search(String words, int page) throws SQLException {
    int last = (page + 1) * PAGE_SIZE + 1;
    String wanted = dialect.words(words);
    return Slice.of(
        database.list(found, Stories::line, wanted, last, wanted, last, page * PAGE_SIZE),
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
