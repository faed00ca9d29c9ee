/** Specifications, server processes, load, faults, monitors and trials. */
@org.jspecify.annotations.NullMarked
module org.terrace.experiment {
  requires transitive org.terrace.core;
  requires transitive org.terrace.observation;
  requires transitive org.terrace.wire;
  requires org.snakeyaml.engine;
  requires tools.jackson.databind;
  requires jdk.management;
  requires static org.jspecify;
  requires static com.google.errorprone.annotations;

  exports org.terrace.experiment.load;
}
