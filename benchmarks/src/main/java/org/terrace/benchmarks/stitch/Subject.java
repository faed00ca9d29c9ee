package org.terrace.benchmarks.stitch;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;
import org.terrace.observation.ValueSketch;
import org.terrace.testing.tiers.FirstCome;
import org.terrace.testing.tiers.TierCall;
import org.terrace.tracing.stitch.Stitcher;

/** The ways to stitch that are measured, by what they are shown. None is shown the truth. */
enum Subject {
  /** The peer: first come, first served. */
  FIRST_COME,
  /** Times alone: no kinds, no sizes, a connection for each call. */
  TIMING_ALONE,
  /** All that a capture shows of traffic whose bytes name nothing. */
  WITHOUT_IDENTIFIERS,
  /** All of traffic in whose bytes values recur from tier to tier, but no identifiers. */
  WITH_VALUES,
  /** All, and the identifiers in the bytes. */
  WITH_IDENTIFIERS;

  /**
   * The places of parents, and how sure each is.
   *
   * @param parents the place of the parent of each call; -1 for none asserted
   * @param confidences of the edge to the parent alone
   */
  record Answer(int[] parents, double[] confidences) {}

  /** Stitches calls; what the subject may not see is taken from them before. */
  Answer answer(List<TierCall> calls) {
    if (this == FIRST_COME) {
      int[] parents = FirstCome.parents(calls);
      double[] sure = new double[parents.length];
      Arrays.fill(sure, 1);
      return new Answer(parents, sure);
    }
    return answer(Stitcher.stitch(table(calls)));
  }

  /** The calls as the subject is shown them. */
  RequestTable table(List<TierCall> calls) {
    RequestTable.Builder builder = new RequestTable.Builder();
    for (int place = 0; place < calls.size(); place++) {
      builder.accept(shown(calls.get(place), place));
    }
    return builder.build();
  }

  private Request shown(TierCall call, int place) {
    boolean alone = this == TIMING_ALONE;
    return new Request(
        call.server(),
        alone ? "request" : call.requestClass(),
        call.client(),
        call.startNanos(),
        call.startNanos(),
        call.endNanos(),
        alone ? 0 : call.bytesIn(),
        alone ? 0 : call.bytesOut(),
        Outcome.OK,
        alone ? place : call.connection(),
        Exchange.NONE,
        this == WITH_IDENTIFIERS ? call.identifier() : 0,
        ValueSketch.add(ValueSketch.NONE, this == WITH_VALUES ? call.value() : 0),
        null);
  }

  private static Answer answer(RequestTable table) {
    int[] parents = new int[table.size()];
    double[] confidences = new double[table.size()];
    for (int row = 0; row < table.size(); row++) {
      TraceContext trace = Objects.requireNonNull(table.trace(row));
      boolean none = trace.parent() == TraceContext.NO_PARENT;
      parents[row] = none ? -1 : (int) trace.parent() - 1;
      confidences[row] = trace.confidence();
      if (!none) {
        // What is told is of the whole path; the edge's is what it adds to its parent's.
        double above = Objects.requireNonNull(table.trace(parents[row])).confidence();
        confidences[row] = above == 0 ? trace.confidence() : trace.confidence() / above;
      }
    }
    return new Answer(parents, confidences);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
