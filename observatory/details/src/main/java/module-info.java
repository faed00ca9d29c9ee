/** Findings to what is behind them: callers, requests that were held, packets, transactions. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that may use it come later
module org.terrace.details {
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.observation;
  requires org.terrace.core;
  requires org.terrace.tracing;
  requires org.apache.commons.statistics.distribution;

  exports org.terrace.details;
  exports org.terrace.details.comparison;
  exports org.terrace.details.history to
      org.terrace.cli;
}
