package org.terrace.benchmarks.stitch;

import java.util.Arrays;
import java.util.List;
import org.terrace.testing.tiers.TierCall;

/**
 * The success of stitching where the truth is known. Immutable.
 *
 * @param calls calls that servers made of others
 * @param asserted those with a parent
 * @param right those whose parent is the true one
 * @param error by how much confidence and truth differ over groups of equal confidence, weighed by
 *     their calls
 */
record StitchScore(int calls, int asserted, int right, double error) {
  /** The least confidence of each group. */
  private static final double[] GROUPS = {0, 0.97, 0.99, 0.995, 0.999};

  static StitchScore of(List<TierCall> truth, Subject.Answer answer) {
    int calls = 0;
    int[] asserted = new int[GROUPS.length];
    int[] right = new int[GROUPS.length];
    double[] confidence = new double[GROUPS.length];
    for (int place = 0; place < truth.size(); place++) {
      TierCall call = truth.get(place);
      if (call.client().startsWith("browser")) {
        continue;
      }
      calls++;
      int told = answer.parents()[place];
      if (told >= 0) {
        int group = GROUPS.length - 1;
        while (answer.confidences()[place] < GROUPS[group]) {
          group--;
        }
        asserted[group]++;
        right[group] += call.parent() == told ? 1 : 0;
        confidence[group] += answer.confidences()[place];
      }
    }
    int all = Arrays.stream(asserted).sum();
    double error = 0;
    for (int group = 0; group < GROUPS.length; group++) {
      error += Math.abs(confidence[group] - right[group]) / Math.max(1, all);
    }
    return new StitchScore(calls, all, Arrays.stream(right).sum(), error);
  }

  /** All of some together. */
  static StitchScore sum(List<StitchScore> scores) {
    int asserted = scores.stream().mapToInt(StitchScore::asserted).sum();
    double error = scores.stream().mapToDouble(each -> each.error * each.asserted).sum();
    return new StitchScore(
        scores.stream().mapToInt(StitchScore::calls).sum(),
        asserted,
        scores.stream().mapToInt(StitchScore::right).sum(),
        error / Math.max(1, asserted));
  }

  double coverage() {
    return asserted / (double) calls;
  }

  double precision() {
    return asserted == 0 ? 1 : right / (double) asserted;
  }

  /** The share of all calls whose parent is told, and right. */
  double found() {
    return right / (double) calls;
  }
}
