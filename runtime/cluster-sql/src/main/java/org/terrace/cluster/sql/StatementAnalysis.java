package org.terrace.cluster.sql;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a statement that the cluster must know. Immutable.
 *
 * @param sql the statement with everything that would differ replaced by parameters
 * @param evaluations the values for those parameters, in the order of their places
 * @param written the tables that it changes
 * @param read the tables that it reads besides
 * @param numbered whether every row that it inserts gets its AUTO_INCREMENT number from the cluster
 * @param lock the lock with a name that it is about; null: none
 * @param row how it tells the one row that it changes; null: it does not
 * @param moments where a text may be read as a moment
 */
public record StatementAnalysis(
    Kind kind,
    String sql,
    List<Evaluation> evaluations,
    Set<String> written,
    Set<String> read,
    boolean numbered,
    @Nullable LockCall lock,
    @Nullable RowChoice row,
    MomentPlaces moments) {

  /** The places at which a server may read a text that is given to it as a moment of its clock. */
  public enum MomentPlaces {
    /** No place. */
    NONE,
    /** The columns of its tables, where a text comes without a type. */
    IN_COLUMNS,
    /** Casts in the statement, whatever the type of the text. */
    BY_CASTS
  }

  /** A statement that has no place at which a text may be read as a moment. */
  public StatementAnalysis(
      Kind kind,
      String sql,
      List<Evaluation> evaluations,
      Set<String> written,
      Set<String> read,
      boolean numbered,
      @Nullable LockCall lock,
      @Nullable RowChoice row) {
    this(kind, sql, evaluations, written, read, numbered, lock, row, MomentPlaces.NONE);
  }

  /** The kind of a statement, by the treatment it needs. */
  public enum Kind {
    /** One replica does it. */
    READ,
    /** One replica does it, under locks. */
    LOCKING_READ,
    /** No replica does it, but the cluster. */
    NAMED_LOCK,
    /** All do it, under locks. */
    WRITE,
    /** All do it, alone. */
    DEFINITION,
    /** Every replica that the session comes to does it: it changes the session. */
    SETTING
  }

  /**
   * A value that is found once, and then is the same at every replica.
   *
   * @param place the number of the parameter in {@link StatementAnalysis#sql()}, from 1
   * @param expression what one replica evaluates, to text; null: the next number of a sequence
   * @param sequence the sequence whose next number it is; null: it is an expression
   * @param unlessGiven whether the parameter is the client's, and counts unless it is null or zero
   * @param anew whether each place gets a value of its own, though the expression is the same
   */
  public record Evaluation(
      int place,
      @Nullable String expression,
      @Nullable String sequence,
      boolean unlessGiven,
      boolean anew) {
    /** A value that no client gives, and that is the same wherever the statement asks for it. */
    public Evaluation(int place, @Nullable String expression, @Nullable String sequence) {
      this(place, expression, sequence, false, false);
    }

    /** A value that no client gives, and that each place gets anew. */
    public static Evaluation anew(int place, String expression) {
      return new Evaluation(place, expression, null, false, true);
    }

    /** The counter whose next number it is, if it is one's. */
    public Optional<TableCounter> counter() {
      return sequence == null ? Optional.empty() : TableCounter.of(sequence);
    }

    Evaluation at(int newPlace) {
      return new Evaluation(newPlace, expression, sequence, unlessGiven, anew);
    }
  }

  /** Copies the lists. */
  public StatementAnalysis {
    evaluations = List.copyOf(evaluations);
    written = Set.copyOf(written);
    read = Set.copyOf(read);
  }

  static StatementAnalysis simple(Kind kind, String sql) {
    return new StatementAnalysis(kind, sql, List.of(), Set.of(), Set.of(), false, null, null);
  }

  static StatementAnalysis ofLock(LockCall call) {
    return new StatementAnalysis(
        Kind.NAMED_LOCK, call.result(), List.of(), Set.of(), Set.of(), false, call, null);
  }

  /**
   * Refuses a text as a parameter that each server would read as a moment of its own clock.
   *
   * @param untyped whether the server takes it for whatever type its place has
   */
  public void checkText(String text, boolean untyped) throws RefusedStatementException {
    boolean read =
        moments == MomentPlaces.BY_CASTS || (moments == MomentPlaces.IN_COLUMNS && untyped);
    if (read && MomentText.is(text)) {
      throw new RefusedStatementException(
          "its parameter '%s' may be read as a moment by each replica's clock".formatted(text),
          "call CURRENT_TIMESTAMP in the statement, or give the moment that is meant; a text for a column of texts is no moment if it is given by setString, without stringtype=unspecified");
    }
  }

  /** Whether its server would tell its client other generated keys than those of its rows. */
  public boolean hidesKeys() {
    long numbers =
        evaluations.stream().filter(evaluation -> evaluation.counter().isPresent()).count();
    return numbers > 1 || (numbers == 1 && !numbered);
  }

  /** Whether it needs numbers of a table's own counter. */
  public boolean counts() {
    return evaluations.stream().anyMatch(evaluation -> evaluation.counter().isPresent());
  }
}
