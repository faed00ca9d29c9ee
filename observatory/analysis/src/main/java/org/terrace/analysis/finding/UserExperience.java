package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The experience of the users: when they waited longer than usual, and which server stalled
 * meanwhile. Immutable.
 *
 * @param usualP99Micros the 99th percentile of response times that the quietest quarter of all
 *     seconds does not exceed; null where nobody watched from the users' side, or nothing was
 *     answered
 * @param slowStretches the stretches in which they waited much longer, in order of time
 * @param sentence one to three sentences of plain text; empty where nothing is known
 */
public record UserExperience(
    @Nullable Double usualP99Micros, List<SlowStretch> slowStretches, String sentence) {

  /** Copies the stretches. */
  public UserExperience {
    slowStretches = List.copyOf(slowStretches);
  }
}
