/** Requests, samples and events: the one data model of everything observed, and its files. */
@org.jspecify.annotations.NullMarked
module org.terrace.observation {
  requires transitive org.terrace.core;

  exports org.terrace.observation;
}
