package org.terrace.studies.magical;

import org.terrace.analysis.study.Claim.Verdict;

/**
 * A count of single cases that speak for or against one claim. Immutable.
 *
 * @param agree how many agree
 * @param contradict how many do not
 * @param open how many cannot tell
 */
record CaseTally(int agree, int contradict, int open) {
  /** At most one in so many may be undecided where all others agree. */
  private static final int UNDECIDED = 10;

  /**
   * Reproduced if none contradicts and at most a tenth is open; partly if most decided ones agree.
   */
  Verdict verdict() {
    int all = agree + contradict + open;
    if (agree + contradict == 0) {
      return Verdict.CANNOT_TELL;
    } else if (contradict == 0) {
      return open * UNDECIDED <= all ? Verdict.REPRODUCED : Verdict.CANNOT_TELL;
    } else if (contradict * UNDECIDED > agree + contradict && agree < contradict) {
      return Verdict.NOT_REPRODUCED;
    }
    return Verdict.PARTLY;
  }
}
