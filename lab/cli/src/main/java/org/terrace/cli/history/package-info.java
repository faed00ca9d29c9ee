/**
 * Histories of results and the baseline of a comparison, as files name them: what {@code terrace
 * compare} reads and writes beside two sets of results.
 */
@org.jspecify.annotations.NullMarked
package org.terrace.cli.history;
