/** The machines of a trial: this one, network namespaces, and others over ssh. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the lab's further modules are compiled after it
module org.terrace.hosts {
  requires java.management;
  requires java.net.http;
  requires transitive org.terrace.capture;
  requires transitive org.terrace.core;
  requires transitive org.terrace.evidence;
  requires transitive org.terrace.nodes;
  requires transitive org.terrace.observation;
  requires org.terrace.databases;
  requires tools.jackson.databind;

  exports org.terrace.hosts;
}
