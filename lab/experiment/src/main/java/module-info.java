/** Specifications, server processes, load, faults, monitors and trials. */
@org.jspecify.annotations.NullMarked
module org.terrace.experiment {
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.capture;
  requires transitive org.terrace.core;
  requires transitive org.terrace.observation;
  requires transitive org.terrace.databases;
  requires java.logging;
  requires java.management;
  requires java.net.http;
  requires jdk.jfr;
  requires jdk.management;
  requires org.snakeyaml.engine;
  requires tools.jackson.databind;
  requires undertow.core;
  requires xnio.api;
  requires static com.google.errorprone.annotations;

  exports org.terrace.experiment;
  exports org.terrace.experiment.load;
  exports org.terrace.experiment.machine;
  exports org.terrace.experiment.monitor;
  exports org.terrace.experiment.node;
  exports org.terrace.experiment.spec;
  exports org.terrace.experiment.study;
}
