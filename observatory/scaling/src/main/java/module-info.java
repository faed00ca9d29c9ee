/** Meshes of trials to bottlenecks, profit and plans, as pure functions. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the laboratory, for which one package is, is compiled after it
module org.terrace.scaling {
  requires static transitive org.jspecify;
  requires org.apache.commons.statistics.distribution;

  exports org.terrace.scaling;
  exports org.terrace.scaling.bottleneck;
  exports org.terrace.scaling.economy;
  exports org.terrace.scaling.search to
      org.terrace.mesh,
      org.terrace.specification;
}
