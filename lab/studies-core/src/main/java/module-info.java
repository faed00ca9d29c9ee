/** The design of a study: claims, parameters, drivers, and what a driver works with. */
@org.jspecify.annotations.NullMarked
module org.terrace.studies.core {
  requires transitive org.terrace.analysis;
  requires transitive org.terrace.core;
  requires transitive org.terrace.databases;
  requires transitive org.terrace.nodes;
  requires org.apache.commons.statistics.distribution;
  requires static transitive com.google.errorprone.annotations;

  exports org.terrace.studies.design;
}
