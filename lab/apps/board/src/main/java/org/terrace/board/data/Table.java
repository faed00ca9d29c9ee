package org.terrace.board.data;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A table that is filled with made-up rows, in an order in which nothing refers to later rows. */
public enum Table {
  CATEGORIES("categories (id, name)"),
  USERS("users (id, nickname, first_name, last_name, email, password_hash, rating, access, since)"),
  OLD_STORIES("old_stories (id, category, writer, title, excerpt, body, posted, comments)"),
  STORIES("stories (id, category, writer, title, excerpt, body, posted, comments)"),
  SUBMISSIONS("submissions (id, category, writer, title, body, posted)"),
  OLD_COMMENTS("old_comments (id, story, parent, writer, subject, body, rating, posted)"),
  COMMENTS("comments (id, story, parent, writer, subject, body, rating, posted)"),
  MODERATOR_LOG("moderator_log (id, moderator, comment, rating, logged)");

  private static final Pattern MOMENT = Pattern.compile("\\b(since|posted|logged)\\b");
  private static final String LOAD =
      "LOAD DATA LOCAL INFILE 'rows' INTO TABLE %s CHARACTER SET utf8mb4 %s";

  private final String columns;

  Table(String columns) {
    this.columns = columns;
  }

  /** The statement that takes its rows. The rows are marked as never changing from the start. */
  public String copyStatement() {
    return "COPY " + columns + " FROM STDIN WITH (FREEZE)";
  }

  /**
   * MariaDB's statement that takes its rows in the same format, from which a moment's time zone is
   * cut: it is UTC.
   */
  public String loadStatement() {
    String list = columns.substring(columns.indexOf('('));
    Matcher moment = MOMENT.matcher(list);
    if (!moment.find()) {
      return LOAD.formatted(tableName(), list);
    }
    String column = moment.group();
    return LOAD.formatted(tableName(), moment.replaceFirst("@" + column))
        + " SET %1$s = left(@%1$s, 19)".formatted(column);
  }

  /** The table's name. */
  public String tableName() {
    return columns.substring(0, columns.indexOf(' '));
  }
}
