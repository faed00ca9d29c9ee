/** Specifications, server processes, load, faults, monitors and trials. */
@org.jspecify.annotations.NullMarked
module org.terrace.experiment {
  requires transitive org.terrace.wire;
  requires org.apache.commons.compress;
  requires org.tukaani.xz;

  exports org.terrace.experiment.postgres;
}
