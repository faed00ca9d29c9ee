package org.terrace.cli;

import java.util.List;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TransactionClass;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.tracing.stitch.Stitcher;
import org.terrace.tracing.transaction.TransactionSummary;

/** Transactions of an observation: stitched where none are told, and as findings. */
final class TransactionInput {
  /** Classes that the findings list. */
  private static final int CLASSES_MAX = 200;

  private TransactionInput() {}

  /**
   * An observation whose requests have their places in transactions.
   *
   * @param notes receives a sentence if there are too many requests for that
   */
  static Observation stitched(Observation read, List<String> notes) {
    RequestTable requests = read.requests();
    if (Stitcher.isStitched(requests)) {
      return read;
    }
    if (Stitcher.isTooLarge(requests)) {
      notes.add(
          "There are more than %,d calls between servers: they are not stitched into transactions."
              .formatted(Stitcher.CALLS_MAX));
      return read;
    }
    return new Observation(
        read.servers(),
        Stitcher.stitch(requests),
        read.samples(),
        read.events(),
        read.connections());
  }

  /** The transactions of a table as findings. */
  static Findings.Transactions findings(RequestTable requests) {
    TransactionSummary summary = TransactionSummary.of(requests);
    return new Findings.Transactions(
        summary.count(),
        summary.complete(),
        new Findings.Confidence(summary.confidenceMedian(), summary.confidenceLow()),
        summary.calls(),
        summary.classes().stream()
            .limit(CLASSES_MAX)
            .map(each ->
                new TransactionClass(
                    each.server(),
                    each.requestClass(),
                    each.requests(),
                    each.residenceMicros(),
                    each.selfMicros(),
                    each.criticalShare()))
            .toList());
  }
}
