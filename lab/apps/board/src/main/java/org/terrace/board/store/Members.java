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

  private static final String BY_NICKNAME =
      "SELECT id, nickname, access, password_hash FROM users WHERE lower(nickname) = ?";
  private static final String ADD =
      """
      INSERT INTO users (nickname, first_name, last_name, email, password_hash)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT (lower(nickname)) DO NOTHING RETURNING id
      """;
  private static final String FOUND =
      """
      SELECT u.id, u.nickname, u.rating, u.access, extract(epoch FROM u.since)::bigint,
             coalesce(s.id, 0), s.title, s.name, extract(epoch FROM s.posted)::bigint, s.comments
      FROM (SELECT * FROM users WHERE lower(nickname) >= ? AND lower(nickname) < ?
            ORDER BY lower(nickname) LIMIT %2$d OFFSET ?) u
      LEFT JOIN LATERAL (
        SELECT w.*, c.name FROM (
          (SELECT id, title, posted, comments, category FROM stories
           WHERE writer = u.id ORDER BY id DESC LIMIT %1$d)
          UNION ALL
          (SELECT id, title, posted, comments, category FROM old_stories
           WHERE writer = u.id ORDER BY id DESC LIMIT %1$d)
          ORDER BY id DESC LIMIT %1$d) w
        JOIN categories c ON c.id = w.category) s ON true
      ORDER BY lower(u.nickname), s.id DESC
      """
          .formatted(STORIES_SHOWN, Stories.PAGE_SIZE + 1);

  /** Sorts after every nickname, which are ASCII. */
  private static final String AFTER_ALL = "\u007f";

  private final Database database;

  public Members(Database database) {
    this.database = database;
  }

  /** A member with what his password was hashed to. */
  public record Credentials(Member member, String passwordHash) {}

  /** The user of a nickname, whose capitals do not count. */
  public Optional<Credentials> byNickname(String nickname) throws SQLException {
    return database.first(
        BY_NICKNAME,
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
    return database
        .first(ADD, row -> row.getInt(1), nickname, firstName, lastName, email, passwordHash)
        .map(id -> new Member(id, nickname, Member.Access.USER));
  }

  /** The users whose nicknames begin so, by nickname, with their newest stories. */
  public Slice<UserLine> search(String beginning, int page) throws SQLException {
    int size = Stories.PAGE_SIZE;
    String from = beginning.toLowerCase(Locale.ROOT);
    List<Found> rows = database.list(FOUND, Members::found, from, from + AFTER_ALL, page * size);
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
