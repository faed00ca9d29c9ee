package org.terrace.cluster.sql;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A column, as far as it decides whether a write is the same everywhere.
 *
 * @param name in lower case
 * @param type the SQL type, as a cast takes it
 * @param filling what the server puts in when a row does not tell
 * @param expression the default's text, if it is to be evaluated once
 * @param sequence the name of the sequence that numbers it, if one does; see {@link TableCounter}
 * @param always whether the server takes a number from a statement only if that says so
 * @param calculatedAnew whether each server calculates it when it is read, from what may differ
 * @param dated whether the server puts its clock's moment in for a NULL
 */
public record ColumnShape(
    String name,
    String type,
    Filling filling,
    @Nullable String expression,
    @Nullable String sequence,
    boolean always,
    boolean calculatedAnew,
    boolean dated) {

  /** The ways in which a server fills a column that a row does not tell. */
  public enum Filling {
    /** The same value everywhere: null, a constant, or a function of other columns. */
    SAME,
    /** The moment or chance. */
    EVALUATED,
    /** The next number. */
    NUMBERED,
    /** A way that cannot be told. */
    UNKNOWN
  }

  /** A column, from what the server's catalogue says of its default. */
  public static ColumnShape of(
      String name,
      String type,
      @Nullable String defaultText,
      Optional<String> sequence,
      DefaultReader reader) {
    if (sequence.isPresent()) {
      return new ColumnShape(
          name, type, Filling.NUMBERED, null, sequence.get(), false, false, false);
    }
    if (defaultText == null) {
      return new ColumnShape(name, type, Filling.SAME, null, null, false, false, false);
    }
    Filling filling = reader.filling(defaultText);
    return new ColumnShape(
        name,
        type,
        filling,
        filling == Filling.EVALUATED ? defaultText : null,
        null,
        false,
        false,
        false);
  }

  /** Whether the table's own counter numbers it. */
  boolean isCounted() {
    return sequence != null && TableCounter.of(sequence).isPresent();
  }

  /** The same column, whose numbers the server takes only from a statement that insists. */
  public ColumnShape alwaysNumbered() {
    return new ColumnShape(name, type, filling, expression, sequence, true, calculatedAnew, dated);
  }

  /** The same column, into which the server puts the moment of its clock for a NULL. */
  public ColumnShape datedForNull() {
    return new ColumnShape(name, type, filling, expression, sequence, always, calculatedAnew, true);
  }

  /** A column that each server calculates when it is read. */
  public static ColumnShape calculated(
      String name, String type, String calculation, DefaultReader reader) {
    boolean anew = reader.filling(calculation) != Filling.SAME;
    return new ColumnShape(name, type, Filling.SAME, null, null, false, anew, false);
  }

  /** The judge of defaults. */
  @FunctionalInterface
  public interface DefaultReader {
    /** The filling by a default of that text. */
    Filling filling(String defaultText);
  }
}
