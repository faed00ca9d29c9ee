/** Findings to what is behind them: callers, requests that were held, packets, transactions. */
@org.jspecify.annotations.NullMarked
module org.terrace.details {
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.observation;
  requires org.terrace.core;
  requires org.terrace.tracing;

  exports org.terrace.details;
}
