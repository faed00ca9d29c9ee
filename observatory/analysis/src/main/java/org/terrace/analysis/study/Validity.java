package org.terrace.analysis.study;

/**
 * A check on the measurement itself. Immutable.
 *
 * @param check its name, for example {@code generator-lateness}
 * @param passed whether it passed
 * @param detail the figures it was judged by, in a sentence
 */
public record Validity(String check, boolean passed, String detail) {}
