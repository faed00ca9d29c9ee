package org.terrace.tracing.stitch;

/**
 * The habits of a server, learned from parents that are assumed: what it calls after what, and how
 * long it takes before it does. A step leads from the arrival of a request, or from the answer to a
 * call, to the next call or to the request's own answer; a call that begins before the one before
 * it ended is a parallel step. Gaps have histograms of four bins an octave.
 *
 * <p>Confined to one thread.
 */
final class GapModel {
  private static final int BINS_AN_OCTAVE_BITS = 2;
  private static final int OCTAVES = 42;
  private static final int BINS = OCTAVES << BINS_AN_OCTAVE_BITS;

  /** Weight of what all steps have in common in the histogram of one step. */
  private static final double COMMON_GAPS = 8;

  /** Weight of what follows a call at all, whatever the request's class. */
  private static final double COMMON_STEPS = 2;

  /** Weight of steps never seen. */
  private static final double UNSEEN = 0.02;

  /** The share of gaps that may have any length: pauses, losses, what the model lacks. */
  private static final double ANY_LENGTH = 0.01;

  /** Kinds of lateness that are told apart, on each side. */
  private static final int LATE = 16;

  /** The weight of lateness beside the gap, from which it does not quite follow. */
  private static final double LATENESS = 0.7;

  /** Weight of a lateness that tells nothing. */
  private static final double COMMON_LATENESS = 20;

  /** The weight below which a step counts as never seen. */
  private static final double NEGLIGIBLE = 1e-3;

  /** The share of later calls on the connection of the one before, until it is learned. */
  private static final double TRUSTED = 0.9;

  private final int classes;
  private final int kinds;
  private final int steps;

  /** Counts and logarithms of steps: by class, last kind or none, and next step. */
  private final double[] stepCounts;

  private final float[] stepLogs;

  /** Counts and logarithms of densities of gaps: by last kind or none, next step, and bin. */
  private final double[] gapCounts;

  private final float[] gapLogs;

  /** Counts by octave of the gap and by lateness: of own requests, and of others. */
  private final double[] lateCounts = new double[OCTAVES * 2 * LATE];

  private final double[] otherCounts = new double[lateCounts.length];
  private final float[] lateLogs = new float[lateCounts.length];

  private final double[] orphanCounts;
  private final float[] orphanLogs;
  private double stays = 1;
  private double leaves = 1;
  private float stayLog;
  private float leaveLog;
  private final float strangerLog;
  private final double spanNanos;

  GapModel(int classes, int kinds, int connections, double spanNanos) {
    this.classes = classes;
    this.kinds = kinds;
    this.spanNanos = Math.max(1, spanNanos);
    steps = 2 * kinds + 1;
    stepCounts = new double[classes * (kinds + 1) * steps];
    stepLogs = new float[stepCounts.length];
    gapCounts = new double[(kinds + 1) * steps * BINS];
    gapLogs = new float[gapCounts.length];
    orphanCounts = new double[kinds];
    orphanLogs = new float[kinds];
    strangerLog = (float) -Math.log(Math.max(1, connections));
    learn(true);
  }

  /** The step that ends a request. */
  int answer() {
    return 2 * kinds;
  }

  /** The step to a call of a kind, after or beside the one before. */
  int call(int kind, boolean parallel) {
    return parallel ? kinds + kind : kind;
  }

  /** The number that stands for a request's arrival in place of a last kind. */
  int arrival() {
    return kinds;
  }

  /** The logarithm of a step's probability and of its gap's density per nanosecond. */
  double log(int requestClass, int last, int step, long gapNanos) {
    int at = last * steps + step;
    return stepLogs[(requestClass * (kinds + 1) * steps) + at] + gapLogs[at * BINS + bin(gapNanos)];
  }

  /** The logarithm of the rate of calls of a kind that no request causes, per nanosecond. */
  double orphanLog(int kind) {
    return orphanLogs[kind] + strangerLog;
  }

  /** The logarithm of the probability of a connection for the first call to a server. */
  double anyConnectionLog() {
    return strangerLog;
  }

  /** The logarithm for a later call: on the connection that the request had last, or another. */
  double connectionLog(boolean stayed) {
    return stayed ? stayLog : leaveLog;
  }

  void count(int requestClass, int last, int step, long gapNanos) {
    int at = last * steps + step;
    stepCounts[requestClass * (kinds + 1) * steps + at]++;
    gapCounts[at * BINS + bin(gapNanos)]++;
  }

  void countConnection(boolean stayed) {
    if (stayed) {
      stays++;
    } else {
      leaves++;
    }
  }

  /** Counts by how many messages one was later than its turn, of its request's or another's. */
  void countLate(long gapNanos, int late, boolean own) {
    (own ? lateCounts : otherCounts)[lateBin(gapNanos, late)]++;
  }

  /**
   * The logarithm of how much more often a message is as late for its own request than for another,
   * after as long a gap.
   */
  double lateLog(long gapNanos, int late) {
    return LATENESS * lateLogs[lateBin(gapNanos, late)];
  }

  private static int lateBin(long gapNanos, int late) {
    int size = Math.abs(late);
    // One each up to four, then two an octave.
    int scale = size;
    if (size > 4) {
      int octave = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(size - 1);
      int upper = ((size - 1) >> (octave - 1)) & 1;
      scale = Math.min(LATE - 1, 1 + 2 * octave + upper);
    }
    int row = bin(gapNanos) >> BINS_AN_OCTAVE_BITS;
    return row * 2 * LATE + LATE + (late < 0 ? -scale : scale);
  }

  void countOrphan(int kind, double weight) {
    orphanCounts[kind] += weight;
  }

  /** Lets what was counted before weigh less. */
  void fade(double factor) {
    scale(stepCounts, factor);
    scale(gapCounts, factor);
    scale(lateCounts, factor);
    scale(otherCounts, factor);
    stays = 1 + (stays - 1) * factor;
    leaves = 1 + (leaves - 1) * factor;
  }

  private static void scale(double[] counts, double factor) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] *= factor;
    }
  }

  /**
   * Makes probabilities of the counts.
   *
   * @param trusting whether connections are taken to stay with a request, whatever was counted
   */
  void learn(boolean trusting) {
    learnSteps();
    learnGaps();
    learnLateness();
    for (int kind = 0; kind < kinds; kind++) {
      orphanLogs[kind] = (float) Math.log((orphanCounts[kind] + 0.5) / spanNanos);
    }
    double share = trusting ? TRUSTED : stays / (stays + leaves);
    stayLog = (float) Math.log(share);
    leaveLog = (float) Math.log(1 - share) + strangerLog;
  }

  private void learnSteps() {
    int states = (kinds + 1) * steps;
    double[] common = new double[states];
    for (int i = 0; i < stepCounts.length; i++) {
      common[i % states] += stepCounts[i];
    }
    for (int last = 0; last <= kinds; last++) {
      double all = sum(common, last * steps, steps);
      for (int requestClass = 0; requestClass < classes; requestClass++) {
        int begin = requestClass * states + last * steps;
        double own = sum(stepCounts, begin, steps);
        for (int step = 0; step < steps; step++) {
          double base = (common[last * steps + step] + UNSEEN) / (all + UNSEEN * steps);
          stepLogs[begin + step] =
              (float)
                  Math.log((stepCounts[begin + step] + COMMON_STEPS * base) / (own + COMMON_STEPS));
        }
      }
    }
  }

  private void learnGaps() {
    double[] common = new double[BINS];
    for (int i = 0; i < gapCounts.length; i++) {
      common[i % BINS] += gapCounts[i];
    }
    smooth(common);
    double all = sum(common, 0, BINS) + 1;
    float[] unseen = new float[BINS];
    for (int bin = 0; bin < BINS; bin++) {
      unseen[bin] = gapLog((common[bin] + 1.0 / BINS) / all, bin);
    }
    double[] own = new double[BINS];
    for (int begin = 0; begin < gapCounts.length; begin += BINS) {
      System.arraycopy(gapCounts, begin, own, 0, BINS);
      double sum = smooth(own);
      if (sum < NEGLIGIBLE) {
        System.arraycopy(unseen, 0, gapLogs, begin, BINS);
        continue;
      }
      for (int bin = 0; bin < BINS; bin++) {
        double base = (common[bin] + 1.0 / BINS) / all;
        gapLogs[begin + bin] = gapLog((own[bin] + COMMON_GAPS * base) / (sum + COMMON_GAPS), bin);
      }
    }
  }

  private void learnLateness() {
    for (int begin = 0; begin < lateCounts.length; begin += 2 * LATE) {
      double own = sum(lateCounts, begin, 2 * LATE);
      double others = sum(otherCounts, begin, 2 * LATE);
      for (int i = begin; i < begin + 2 * LATE; i++) {
        double base = (lateCounts[i] + otherCounts[i] + 0.5) / (own + others + LATE);
        lateLogs[i] =
            (float)
                (Math.log((lateCounts[i] + COMMON_LATENESS * base) / (own + COMMON_LATENESS))
                    - Math.log(
                        (otherCounts[i] + COMMON_LATENESS * base) / (others + COMMON_LATENESS)));
      }
    }
  }

  private static float gapLog(double share, int bin) {
    double mixed = (1 - ANY_LENGTH) * share + ANY_LENGTH / BINS;
    return (float) (Math.log(mixed) - Math.log(width(bin)));
  }

  /** Spreads each bin over its neighbours, and gives the sum. */
  private static double smooth(double[] counts) {
    double left = 0;
    double sum = 0;
    for (int bin = 0; bin < BINS; bin++) {
      double here = counts[bin];
      double right = bin + 1 < BINS ? counts[bin + 1] : 0;
      counts[bin] = here / 2 + (left + right) / 4;
      left = here;
      sum += here;
    }
    return sum;
  }

  private static double sum(double[] values, int begin, int length) {
    double sum = 0;
    for (int i = begin; i < begin + length; i++) {
      sum += values[i];
    }
    return sum;
  }

  private static int bin(long gapNanos) {
    long gap = Math.max(0, gapNanos) + (1 << BINS_AN_OCTAVE_BITS);
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(gap);
    int within = (int) (gap >>> (octave - BINS_AN_OCTAVE_BITS)) & ((1 << BINS_AN_OCTAVE_BITS) - 1);
    int bin = ((octave - BINS_AN_OCTAVE_BITS) << BINS_AN_OCTAVE_BITS) + within;
    return Math.min(BINS - 1, bin);
  }

  private static double width(int bin) {
    return Math.scalb(1.0, bin >> BINS_AN_OCTAVE_BITS);
  }
}
