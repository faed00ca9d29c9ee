package org.terrace.tracing.stitch;

import java.util.List;
import org.terrace.testing.tiers.TierCall;

/**
 * The success of stitching where the truth is known.
 *
 * @param calls calls of observed servers
 * @param asserted those with a parent
 * @param right those whose parent is the true one
 * @param expected the sum of the confidences of all asserted
 */
record Score(int calls, int asserted, int right, double expected) {
  static Score of(List<TierCall> truth, Parents parents) {
    int calls = 0;
    int asserted = 0;
    int right = 0;
    double expected = 0;
    for (int row = 0; row < truth.size(); row++) {
      if (parents.evidence[row] == ParentEvidence.ENTRY) {
        continue;
      }
      calls++;
      if (parents.row[row] >= 0) {
        asserted++;
        right += truth.get(row).parent() == parents.row[row] ? 1 : 0;
        expected += parents.confidence[row];
      }
    }
    return new Score(calls, asserted, right, expected);
  }

  double coverage() {
    return asserted / (double) calls;
  }

  double precision() {
    return right / (double) Math.max(1, asserted);
  }

  @Override
  public String toString() {
    return "%d calls, coverage %.3f, right %.4f, confidence %.4f"
        .formatted(calls, coverage(), precision(), expected / Math.max(1, asserted));
  }
}
