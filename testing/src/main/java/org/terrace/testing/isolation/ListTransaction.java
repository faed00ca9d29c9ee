package org.terrace.testing.isolation;

import java.util.List;

/**
 * A transaction of a history, as its client saw it.
 *
 * @param id the number of the transaction, which no other of the history has
 * @param level the level of isolation that it ran at
 * @param outcome the end of it, as its client was told
 * @param steps its steps, in their order
 */
public record ListTransaction(
    long id, IsolationLevel level, Outcome outcome, List<ListStep> steps) {
  /** The end of a transaction, as its client was told. */
  public enum Outcome {
    /** The transaction was committed. */
    COMMITTED,
    /** The transaction was undone. */
    ABORTED,
    /** The client was told nothing. */
    UNKNOWN
  }

  /** Copies the steps. */
  public ListTransaction {
    steps = List.copyOf(steps);
  }

  /** The elements that it appends to a list, in their order. */
  List<Long> appendsTo(int list) {
    return steps.stream()
        .filter(step -> step.list() == list)
        .filter(ListStep.Append.class::isInstance)
        .map(step -> ((ListStep.Append) step).element())
        .toList();
  }
}
