/** Servers as processes: places, limits, monitors and faults. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.nodes {
  requires java.net.http;
  requires jdk.management;
  requires transitive org.terrace.core;
  requires transitive org.terrace.observation;
  requires org.terrace.capture;

  exports org.terrace.nodes;
  exports org.terrace.nodes.fault;
  exports org.terrace.nodes.machine to
      org.terrace.benchmarks,
      org.terrace.cli,
      org.terrace.experiment,
      org.terrace.hosts,
      org.terrace.mesh,
      org.terrace.studies.bottlenecks,
      org.terrace.studies.core,
      org.terrace.studies.scaleout;
  exports org.terrace.nodes.monitor to
      org.terrace.hosts,
      org.terrace.experiment,
      org.terrace.mesh,
      org.terrace.studies.bottlenecks;
  exports org.terrace.nodes.setting;
}
