/** Tomcat's HTTP sessions in a replicated map. */
@org.jspecify.annotations.NullMarked
module org.terrace.collections.tomcat {
  requires transitive org.apache.tomcat.embed.core;
  requires transitive org.terrace.collections;

  exports org.terrace.collections.tomcat;
}
