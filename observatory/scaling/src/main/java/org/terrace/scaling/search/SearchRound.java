package org.terrace.scaling.search;

import java.util.Collection;
import java.util.List;
import org.terrace.scaling.MeshTrial;

/**
 * A round of a course: all trials that it chooses until it has no next one. In it a trial that
 * failed counts against the trials that are allowed; the round after it may try that trial once
 * more. So an interrupted course goes on in its round as if it had not been interrupted. Immutable.
 *
 * @param number the number of the round, from 1
 */
public record SearchRound(int number) {
  /** The round before which there is none. */
  public static final SearchRound FIRST = new SearchRound(1);

  /** Checks the number. */
  public SearchRound {
    if (number < 1) {
      throw new IllegalArgumentException("rounds are counted from 1, and this is " + number);
    }
  }

  /**
   * The round in which a course goes on: that in which it was, unless it had ended with failures,
   * and said so.
   *
   * @param ended the trials that have ended, in any order
   * @param begun the last round that was begun
   * @param over whether it was said that this round has ended
   */
  public static SearchRound after(
      SearchCourse course, Collection<EndedTrial> ended, SearchRound begun, boolean over) {
    int latest = ended.stream().mapToInt(EndedTrial::round).max().orElse(begun.number);
    if (latest > begun.number) {
      return new SearchRound(latest);
    }
    List<MeshTrial> counted = begun.counted(ended);
    boolean failed = counted.stream().anyMatch(trial -> !trial.isDone());
    return over && failed && course.next(counted).isEmpty()
        ? new SearchRound(begun.number + 1)
        : begun;
  }

  /** Whether a trial counts in this round, in the choice of the next one as in what was run. */
  public boolean counts(EndedTrial ended) {
    return ended.trial().isDone() || ended.round() == number;
  }

  /** The trials that count in this round. */
  public List<MeshTrial> counted(Collection<EndedTrial> ended) {
    return ended.stream().filter(this::counts).map(EndedTrial::trial).toList();
  }
}
