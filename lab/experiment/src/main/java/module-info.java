/** Experiments, deployments and trials. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.experiment {
  requires java.net.http;
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.core;
  requires transitive org.terrace.hosts;
  requires transitive org.terrace.load;
  requires transitive org.terrace.nodes;
  requires transitive org.terrace.observation;
  requires transitive org.terrace.protocols;
  requires org.terrace.capture;
  requires org.terrace.evidence;
  requires tools.jackson.databind;
  requires static com.google.errorprone.annotations;

  exports org.terrace.experiment;
  exports org.terrace.experiment.progress to
      org.terrace.cli,
      org.terrace.dashboard;
}
