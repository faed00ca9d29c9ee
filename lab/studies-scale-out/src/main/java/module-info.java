/** The study of scaling out. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the module that it is for is compiled after it
module org.terrace.studies.scaleout {
  requires transitive org.terrace.studies.core;
  requires org.terrace.experiment;
  requires org.terrace.mesh;
  requires org.terrace.scaling;
  requires org.terrace.specification;

  exports org.terrace.studies.scaleout to
      org.terrace.studies;
}
