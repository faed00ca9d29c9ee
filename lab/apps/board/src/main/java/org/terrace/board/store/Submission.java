package org.terrace.board.store;

/** A story that waits for an author's decision. */
public record Submission(
    int id, String title, String body, String category, String writer, long postedSeconds) {}
