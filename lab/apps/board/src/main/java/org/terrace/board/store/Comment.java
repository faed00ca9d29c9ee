package org.terrace.board.store;

/**
 * A comment on a story.
 *
 * @param story the story's id
 * @param parent the id of the comment it answers; 0: it answers the story
 * @param body its text, or the beginning of it where a list asked for that
 * @param whole whether {@code body} is all of its text
 * @param writer the nickname of its writer; empty: anonymous
 * @param rating what moderators made of it, -1 to 5
 * @param postedSeconds when it was posted, in seconds since the Unix epoch
 * @param old whether it lies in the table of comments on old stories
 */
public record Comment(
    int id,
    int story,
    int parent,
    String subject,
    String body,
    boolean whole,
    String writer,
    int rating,
    long postedSeconds,
    boolean old) {}
