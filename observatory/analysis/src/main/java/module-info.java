/** Observation to findings, as pure functions: load, throughput, congestion points, stalls. */
@org.jspecify.annotations.NullMarked
module org.terrace.analysis {
  requires transitive org.terrace.observation;

  exports org.terrace.analysis;
  exports org.terrace.analysis.ledger;
}
