/** Readers of experiments, meshes and prices, and what a mesh is made of. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that it is for are compiled after it
module org.terrace.specification {
  requires transitive org.terrace.core;
  requires transitive org.terrace.experiment;
  requires transitive org.terrace.hosts;
  requires transitive org.terrace.scaling;
  requires transitive org.snakeyaml.engine;
  requires static com.google.errorprone.annotations;

  exports org.terrace.specification to
      org.terrace.cli,
      org.terrace.dashboard,
      org.terrace.mesh,
      org.terrace.studies,
      org.terrace.studies.bottlenecks,
      org.terrace.studies.scaleout;
}
