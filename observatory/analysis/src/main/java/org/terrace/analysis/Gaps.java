package org.terrace.analysis;

import org.jspecify.annotations.Nullable;
import org.terrace.analysis.congestion.ServiceRate;

/**
 * The gaps between successive answers of a server while it has requests in flight, collected by
 * walking arrivals and ends in order of time. Each gap knows how many answers would be usual in it.
 */
final class Gaps {
  /** The usual answers that a neighbouring gap must hold to belong to the same stall. */
  static final double EXPECTED_TO_JOIN = 3;

  private final ServiceRate rate;
  private final long[] start;
  private final long[] end;
  private final double[] expected;
  private final int[] peak;
  private int size;

  private long now;
  private int inFlight;
  private long gapStart;
  private double gapExpected;
  private int gapPeak;

  Gaps(int limit, long from, int inFlight, ServiceRate rate) {
    this.rate = rate;
    this.inFlight = inFlight;
    start = new long[limit];
    end = new long[limit];
    expected = new double[limit];
    peak = new int[limit];
    now = from;
    gapStart = from;
    gapPeak = inFlight;
  }

  void advance(long time) {
    if (inFlight > 0) {
      gapExpected += rate.at(inFlight) * (time - now) / 1e9;
    }
    now = time;
  }

  void arrived() {
    if (inFlight == 0) {
      open();
    }
    inFlight++;
    gapPeak = Math.max(gapPeak, inFlight);
  }

  void ended(boolean answered) {
    inFlight--;
    if (answered || inFlight == 0) {
      close();
      open();
    }
  }

  void close() {
    if (now > gapStart && gapPeak > 0) {
      start[size] = gapStart;
      end[size] = now;
      expected[size] = gapExpected;
      peak[size] = gapPeak;
      size++;
    }
  }

  private void open() {
    gapStart = now;
    gapExpected = 0;
    gapPeak = inFlight;
  }

  /** The stall around the longest gap, in usual answers, that touches a stretch of time. */
  StallEdges.@Nullable Refined refined(long from, long to, int[] rows) {
    int core = -1;
    for (int i = 0; i < size; i++) {
      if (start[i] < to && end[i] > from && (core < 0 || expected[i] > expected[core])) {
        core = i;
      }
    }
    if (core < 0) {
      return null;
    }
    int first = core;
    while (first > 0 && joins(first - 1)) {
      first--;
    }
    int last = core;
    while (last + 1 < size
        && start[last + 1] == end[last]
        && expected[last + 1] >= EXPECTED_TO_JOIN) {
      last++;
    }
    double sum = 0;
    int highest = 0;
    long silence = 0;
    for (int i = first; i <= last; i++) {
      silence = Math.max(silence, end[i] - start[i]);
      sum += expected[i];
      highest = Math.max(highest, peak[i]);
    }
    return new StallEdges.Refined(
        new DetectedStall(start[first], end[last], highest, silence), sum, last - first, rows);
  }

  private boolean joins(int gap) {
    return end[gap] == start[gap + 1] && expected[gap] >= EXPECTED_TO_JOIN;
  }
}
