/** Findings to what is behind them: callers, requests that were held, packets. */
@org.jspecify.annotations.NullMarked
module org.terrace.details {
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.observation;
  requires org.terrace.core;

  exports org.terrace.details;
}
