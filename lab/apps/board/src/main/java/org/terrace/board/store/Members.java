package org.terrace.board.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The statements on users and on the key that signs their sessions. Thread-safe. */
public final class Members {
  private static final int STORIES_SHOWN = 3;

  /** Sorts after every nickname, which are ASCII. */
  private static final String AFTER_ALL = "\u007f";

  /** The SQLState of a key that is there already. */
  private static final String IS_TAKEN = "23000";

  /** The next number of a user, which no other SQL node gives. */
  private static final String NEXT = "SELECT nextval(user_ids)";

  /** The row that makes a nickname one user's alone: keys of a partitioned table are its own. */
  private static final String TAKE = "INSERT INTO nicknames (nickname, user) VALUES (?, ?)";

  private final Database database;
  private final String byNickname;
  private final String add;
  private final String found;

  public Members(Database database) {
    this.database = database;
    BoardDialect dialect = database.dialect();
    this.byNickname =
        "SELECT id, nickname, access, password_hash FROM users WHERE %s = ?"
            .formatted(dialect.lowerNickname());
    String values =
        """
        INTO users (nickname, first_name, last_name, email, password_hash) VALUES (?, ?, ?, ?, ?)
        """;
    this.add =
        switch (dialect) {
          case POSTGRESQL ->
              "INSERT " + values + " ON CONFLICT (lower(nickname)) DO NOTHING RETURNING id";
          case MARIADB -> "INSERT IGNORE " + values + " RETURNING id";
          case NDB_LIKE ->
              "INSERT " + values.replace("(nickname", "(id, nickname").replace("(?", "(?, ?");
        };
    this.found = found(dialect);
  }

  /** Users with at most some of their stories each, by one pass over those of the page. */
  private static String found(BoardDialect dialect) {
    return """
    WITH wanted AS (
      SELECT id, nickname, %1$s AS low, rating, access, since FROM users
      WHERE %1$s >= ? AND %1$s < ? ORDER BY %1$s LIMIT %2$d OFFSET ?),
    written AS (
      SELECT id, title, posted, comments, category, writer FROM stories
      WHERE writer IN (SELECT id FROM wanted)
      UNION ALL
      SELECT id, title, posted, comments, category, writer FROM old_stories
      WHERE writer IN (SELECT id FROM wanted)),
    ranked AS (
      SELECT w.*, c.name, row_number() OVER (PARTITION BY writer ORDER BY w.id DESC) AS place
      FROM written w JOIN categories c ON c.id = w.category)
    SELECT u.id, u.nickname, u.rating, u.access, %3$s, coalesce(s.id, 0), s.title, s.name, %4$s,
           s.comments
    FROM wanted u LEFT JOIN ranked s ON s.writer = u.id AND s.place <= %5$d
    ORDER BY u.low, s.id DESC
    """
        .formatted(
            dialect.lowerNickname(),
            Stories.PAGE_SIZE + 1,
            dialect.seconds("u.since"),
            dialect.seconds("s.posted"),
            STORIES_SHOWN);
  }

  /** A member with what his password was hashed to. */
  public record Credentials(Member member, String passwordHash) {}

  /** The user of a nickname, whose capitals do not count. */
  public Optional<Credentials> byNickname(String nickname) throws SQLException {
    return database.first(
        byNickname,
        row ->
            new Credentials(
                new Member(row.getInt(1), row.getString(2), Member.Access.of(row.getInt(3))),
                row.getString(4)),
        nickname.toLowerCase(Locale.ROOT));
  }

  /** Adds a user; empty if the nickname is taken. */
  public Optional<Member> add(
      String nickname, String firstName, String lastName, String email, String passwordHash)
      throws SQLException {
    Optional<Integer> added =
        database.dialect() == BoardDialect.NDB_LIKE
            ? addPartitioned(nickname, firstName, lastName, email, passwordHash)
            : database.first(
                add, row -> row.getInt(1), nickname, firstName, lastName, email, passwordHash);
    return added.map(id -> new Member(id, nickname, Member.Access.USER));
  }

  private Optional<Integer> addPartitioned(String nickname, Object... others) throws SQLException {
    try {
      return database.transaction(connection -> {
        int id = Database.first(connection, NEXT, row -> row.getInt(1)).orElseThrow();
        Database.update(connection, TAKE, nickname.toLowerCase(Locale.ROOT), id);
        List<Object> values = new ArrayList<>(List.of(id, nickname));
        values.addAll(List.of(others));
        Database.update(connection, add, values.toArray());
        return Optional.of(id);
      });
    } catch (SQLException e) {
      if (IS_TAKEN.equals(e.getSQLState())) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The users whose nicknames begin so, by nickname, with their newest stories. */
  public Slice<UserLine> search(String beginning, int page) throws SQLException {
    int size = Stories.PAGE_SIZE;
    String from = beginning.toLowerCase(Locale.ROOT);
    List<Found> rows = database.list(found, Members::found, from, from + AFTER_ALL, page * size);
    Map<Integer, List<Found>> byUser = new LinkedHashMap<>();
    rows.forEach(row -> byUser.computeIfAbsent(row.id(), id -> new ArrayList<>()).add(row));
    return Slice.of(byUser.values().stream().map(Members::user).toList(), page, size);
  }

  /** One row: a user with one of his stories, or without any. */
  private record Found(int id, UserLine user, Optional<StoryLine> story) {}

  private static Found found(ResultSet row) throws SQLException {
    UserLine user =
        new UserLine(
            row.getString(2),
            row.getInt(3),
            Member.Access.of(row.getInt(4)),
            row.getLong(5),
            Collections.emptyList());
    int story = row.getInt(6);
    return new Found(
        row.getInt(1),
        user,
        story == 0
            ? Optional.empty()
            : Optional.of(
                new StoryLine(
                    story,
                    row.getString(7),
                    "",
                    row.getString(8),
                    user.nickname(),
                    row.getLong(9),
                    row.getInt(10))));
  }

  private static UserLine user(List<Found> rows) {
    UserLine user = rows.getFirst().user();
    return new UserLine(
        user.nickname(),
        user.rating(),
        user.access(),
        user.sinceSeconds(),
        rows.stream().flatMap(row -> row.story().stream()).toList());
  }
}
