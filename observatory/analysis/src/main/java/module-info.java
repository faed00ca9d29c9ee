/** Observation to findings, as pure functions: load, throughput, congestion points, stalls. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.analysis {
  requires transitive org.terrace.observation;
  requires org.apache.commons.statistics.distribution;

  exports org.terrace.analysis;
  exports org.terrace.analysis.finding;
  exports org.terrace.analysis.study;
  exports org.terrace.analysis.tail to
      org.terrace.studies,
      org.terrace.studies.bottlenecks,
      org.terrace.studies.core;
  exports org.terrace.analysis.threshold;
}
