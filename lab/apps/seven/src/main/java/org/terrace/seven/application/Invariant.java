package org.terrace.seven.application;

import java.sql.Connection;
import java.util.List;
import java.util.function.Function;

/**
 * A statement that holds of an application's database whenever no call is under way, whatever
 * happened before.
 *
 * @param name in kebab-case, for example {@code money-conserved}
 * @param rule the rule in a sentence
 * @param check finds what breaks it
 */
public record Invariant(String name, String rule, Function<Sql, List<String>> check) {
  /** The most violations that are told; there may be more. */
  public static final int VIOLATIONS_MAX = 20;

  /** A rule whose violations are the rows of a query; their first column says what is wrong. */
  public static Invariant ofQuery(String name, String rule, String query) {
    return new Invariant(name, rule, sql -> sql.all(row -> row.getString(1), query));
  }

  /** The breaches of the rule now: none, or at most {@value #VIOLATIONS_MAX} sentences. */
  public List<String> violations(Connection connection) {
    List<String> found = check.apply(new Sql(connection));
    return List.copyOf(found.subList(0, Math.min(found.size(), VIOLATIONS_MAX)));
  }
}
