package org.terrace.tracing.stitch;

import java.util.Arrays;

/** The parents that are asserted of the rows of a table. Confined to one thread while it grows. */
final class Parents {
  /** A row that no observed server called. */
  static final int ENTRY = -1;

  /** A row that an observed server called, of which nothing tells for which request. */
  static final int UNKNOWN = -2;

  final int[] row;
  final double[] confidence;
  final ParentEvidence[] evidence;

  Parents(int rows) {
    row = new int[rows];
    confidence = new double[rows];
    evidence = new ParentEvidence[rows];
    Arrays.fill(row, ENTRY);
    Arrays.fill(confidence, 1);
    Arrays.fill(evidence, ParentEvidence.ENTRY);
  }

  void unknown(int call) {
    row[call] = UNKNOWN;
    confidence[call] = 0;
    evidence[call] = ParentEvidence.UNKNOWN;
  }

  void known(int call, int parent, double probability, ParentEvidence by) {
    row[call] = parent;
    confidence[call] = probability;
    evidence[call] = by;
  }
}
