/** Specifications, server processes, load, faults, monitors and trials. */
@org.jspecify.annotations.NullMarked
module org.terrace.experiment {
  requires transitive org.terrace.wire;
  requires java.management;
  requires jdk.management;

  exports org.terrace.experiment.machine;
}
