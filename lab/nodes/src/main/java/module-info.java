/** Servers as processes: places, limits, monitors and faults. */
@org.jspecify.annotations.NullMarked
module org.terrace.nodes {
  requires jdk.management;
  requires transitive org.terrace.core;
  requires transitive org.terrace.observation;
  requires org.terrace.capture;
  requires transitive tools.jackson.databind;

  exports org.terrace.nodes;
  exports org.terrace.nodes.fault;
  exports org.terrace.nodes.machine;
  exports org.terrace.nodes.monitor;
  exports org.terrace.nodes.service;
}
