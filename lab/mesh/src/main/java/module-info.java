/** Meshes of trials: run, searched, resumed. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that it is for are compiled after it
module org.terrace.mesh {
  requires transitive org.terrace.experiment;
  requires transitive org.terrace.scaling;
  requires transitive org.terrace.specification;
  requires tools.jackson.databind;
  requires static com.google.errorprone.annotations;

  exports org.terrace.mesh to
      org.terrace.cli,
      org.terrace.dashboard,
      org.terrace.studies.scaleout;
}
