/** Results in a browser: what runs, what was found, two compared, a mesh priced anew. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.dashboard {
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.core;
  requires transitive org.terrace.details;
  requires transitive org.terrace.experiment;
  requires transitive org.terrace.mesh;
  requires transitive org.terrace.report;
  requires transitive org.terrace.scaling;
  requires org.terrace.observation;
  requires org.terrace.specification;
  requires org.terrace.wire;
  requires jdk.httpserver;
  requires tools.jackson.databind;

  exports org.terrace.dashboard;
  exports org.terrace.dashboard.comparison to
      org.terrace.cli;
  exports org.terrace.dashboard.planning to
      org.terrace.cli;
}
