/** Trials and captures of a fleet as one data set, and their findings server by server. */
@org.jspecify.annotations.NullMarked
module org.terrace.fleet {
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.observation;
  requires org.terrace.core;
  requires transitive org.terrace.details;

  exports org.terrace.fleet;
}
