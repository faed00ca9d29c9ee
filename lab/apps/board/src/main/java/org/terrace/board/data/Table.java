package org.terrace.board.data;

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

  private final String columns;

  Table(String columns) {
    this.columns = columns;
  }

  /** The statement that takes its rows. The rows are marked as never changing from the start. */
  public String copyStatement() {
    return "COPY " + columns + " FROM STDIN WITH (FREEZE)";
  }

  /** The table's name. */
  public String tableName() {
    return columns.substring(0, columns.indexOf(' '));
  }
}
