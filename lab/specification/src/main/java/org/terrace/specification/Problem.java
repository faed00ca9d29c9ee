package org.terrace.specification;

/**
 * One fault of a specification. Immutable.
 *
 * @param line its line, counted from one
 * @param column its column, counted from one
 * @param message the offending value and what was expected
 */
public record Problem(int line, int column, String message) {}
