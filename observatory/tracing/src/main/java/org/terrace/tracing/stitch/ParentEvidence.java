package org.terrace.tracing.stitch;

import java.util.Locale;

/** The ways in which a request's place in its transaction is told. */
public enum ParentEvidence {
  /** No observed server called it: a transaction begins with it. */
  ENTRY,
  /**
   * The request's bytes name the transaction of one request of its caller alone: a trace, a
   * request's.
   */
  IDENTIFIER,
  /** The request lies within one request of its caller alone. */
  NESTING,
  /** The request carries a value of one request of its caller that few others carry. */
  VALUE,
  /** The caller asked for the same request before on the same connection, and timing agrees. */
  CONNECTION,
  /** The beginning and end fit one request of the caller far better than to all others. */
  TIMING,
  /** A server called it, and nothing tells for which request well enough. */
  UNKNOWN;

  /** The word for it in the column {@code source}. */
  public String source() {
    return name().toLowerCase(Locale.ROOT);
  }
}
