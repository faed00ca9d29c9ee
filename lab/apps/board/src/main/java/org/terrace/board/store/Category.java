package org.terrace.board.store;

/** A category of stories. */
public record Category(int id, String name) {}
