/** Papers re-run: their measurements, their figures, and the judges of their claims. */
@org.jspecify.annotations.NullMarked
module org.terrace.studies {
  requires jdk.jfr;
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.core;
  requires transitive org.terrace.experiment;
  requires transitive org.terrace.specification;
  requires transitive org.terrace.nodes;
  requires transitive org.terrace.databases;
  requires org.terrace.capture;
  requires org.terrace.control;
  requires transitive org.terrace.studies.core;
  requires org.terrace.studies.bottlenecks;
  requires org.terrace.studies.scaleout;
  requires org.apache.commons.statistics.distribution;
  requires org.snakeyaml.engine;
  requires tools.jackson.databind;
  requires static transitive com.google.errorprone.annotations;

  exports org.terrace.studies;
}
