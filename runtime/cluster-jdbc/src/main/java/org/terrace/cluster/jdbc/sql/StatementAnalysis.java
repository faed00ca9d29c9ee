package org.terrace.cluster.jdbc.sql;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a statement that the cluster must know. Immutable.
 *
 * @param sql the statement with everything that would differ replaced by parameters
 * @param evaluations the values for those parameters, in the order of their places
 * @param written the tables that it changes
 * @param read the tables that it reads besides
 * @param row how it tells the one row that it changes; null: it does not
 */
public record StatementAnalysis(
    Kind kind,
    String sql,
    List<Evaluation> evaluations,
    Set<String> written,
    Set<String> read,
    @Nullable RowChoice row) {

  /** The kind of a statement, by the treatment it needs. */
  public enum Kind {
    /** One replica does it. */
    READ,
    /** One replica does it, under locks. */
    LOCKING_READ,
    /** All do it, under locks. */
    WRITE,
    /** All do it, alone. */
    DEFINITION,
    /** It changes the session, at every replica that the session comes to. */
    SETTING
  }

  /**
   * A value that is found once, and then is the same at every replica.
   *
   * @param place the number of the parameter in {@link StatementAnalysis#sql()}, from 1
   * @param expression what one replica evaluates, to text; null: the next number of a sequence
   * @param sequence the sequence whose next number it is; null: it is an expression
   */
  public record Evaluation(int place, @Nullable String expression, @Nullable String sequence) {}

  /** Copies the lists. */
  public StatementAnalysis {
    evaluations = List.copyOf(evaluations);
    written = Set.copyOf(written);
    read = Set.copyOf(read);
  }

  static StatementAnalysis simple(Kind kind, String sql) {
    return new StatementAnalysis(kind, sql, List.of(), Set.of(), Set.of(), null);
  }
}
