/** The word of hosts, JVMs and databases about themselves, as events and samples. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.evidence {
  requires jdk.jfr;
  requires jdk.management;
  requires transitive org.terrace.core;
  requires transitive org.terrace.observation;
  requires tools.jackson.core;

  exports org.terrace.evidence;
  exports org.terrace.evidence.host to
      org.terrace.cli;
}
