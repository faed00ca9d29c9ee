package org.terrace.board.store;

/**
 * A story in a list.
 *
 * @param id the story's id
 * @param title its title
 * @param excerpt the beginning of its text; empty where the list does not show it
 * @param category the name of its category
 * @param writer the nickname of its writer; empty: anonymous
 * @param postedSeconds when it was posted, in seconds since the Unix epoch
 * @param comments how many comments it has
 */
public record StoryLine(
    int id,
    String title,
    String excerpt,
    String category,
    String writer,
    long postedSeconds,
    int comments) {}
