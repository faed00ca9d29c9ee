/** The study of transient bottlenecks. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the module that it is for is compiled after it
module org.terrace.studies.bottlenecks {
  requires jdk.management;
  requires transitive org.terrace.studies.core;
  requires org.terrace.capture;
  requires org.terrace.experiment;
  requires org.terrace.observation;
  requires org.terrace.specification;
  requires org.apache.commons.statistics.distribution;

  exports org.terrace.studies.transients to
      org.terrace.studies;
}
