package org.terrace.tracing.transaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.terrace.tracing.transaction.ClassProfile.TierTime;

/**
 * The mean time of transactions by tier. Transactions that follow each other are alike, so the
 * interval is by batch means: the transactions in the order of their arrival are cut into {@value
 * #BATCHES} batches of equal size, whose means are taken for independent (Law and Kelton,
 * Simulation Modeling and Analysis, section 9.5). Confined to one thread.
 */
final class TierTimes {
  static final int BATCHES = 20;

  /** Transactions in a batch at least; with fewer, no interval is told. */
  static final int BATCH_LEAST = 5;

  /** The 97.5th percentile of Student's distribution with 19 degrees of freedom. */
  private static final double STUDENT = 2.093;

  private static final double NANOS_PER_MICRO = 1_000;

  private final ServerGroups groups;
  private final int transactions;
  private final double[][] nanos;

  TierTimes(ServerGroups groups, int transactions) {
    this.groups = groups;
    this.transactions = transactions;
    nanos = new double[groups.size()][BATCHES];
  }

  private int batch(int place) {
    return (int) ((long) place * BATCHES / transactions);
  }

  /** Adds a stretch of the critical path of the {@code place}th transaction, from 0. */
  void add(int place, int group, long stretchNanos) {
    nanos[group][batch(place)] += stretchNanos;
  }

  /** The means, the greatest first; groups in which no time was spent are left out. */
  List<TierTime> means() {
    int[] sizes = new int[BATCHES];
    for (int place = 0; place < transactions; place++) {
      sizes[batch(place)]++;
    }
    double all = 0;
    for (double[] batches : nanos) {
      all += sum(batches);
    }
    List<TierTime> means = new ArrayList<>();
    for (int group = 0; group < nanos.length; group++) {
      double sum = sum(nanos[group]);
      if (sum > 0) {
        double mean = sum / transactions;
        double half = halfWidth(nanos[group], sizes, mean) / NANOS_PER_MICRO;
        double micros = mean / NANOS_PER_MICRO;
        boolean told = !Double.isNaN(half);
        means.add(
            new TierTime(
                groups.name(group),
                micros,
                told ? Double.valueOf(Math.max(0, micros - half)) : null,
                told ? Double.valueOf(micros + half) : null,
                sum / all));
      }
    }
    means.sort(Comparator.comparingDouble(TierTime::micros).reversed());
    return means;
  }

  private double halfWidth(double[] batches, int[] sizes, double mean) {
    if (transactions < BATCHES * BATCH_LEAST) {
      return Double.NaN;
    }
    double squares = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      double difference = batches[batch] / sizes[batch] - mean;
      squares += difference * difference;
    }
    return STUDENT * Math.sqrt(squares / (BATCHES - 1) / BATCHES);
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }
}
