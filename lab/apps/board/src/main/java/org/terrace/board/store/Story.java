package org.terrace.board.store;

/**
 * A whole story.
 *
 * @param old whether it lies in the table of stories older than a month
 */
public record Story(
    int id,
    String title,
    String body,
    int categoryId,
    String category,
    String writer,
    long postedSeconds,
    int comments,
    boolean old) {}
