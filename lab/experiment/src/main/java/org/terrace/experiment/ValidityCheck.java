package org.terrace.experiment;

/**
 * One condition under which the results of a trial can be trusted, and whether it held. Immutable.
 *
 * @param check its name in kebab-case, for example {@code generator-lateness}
 * @param passed whether it held
 * @param detail the figures it was judged by, in a sentence
 */
public record ValidityCheck(String check, boolean passed, String detail) {}
