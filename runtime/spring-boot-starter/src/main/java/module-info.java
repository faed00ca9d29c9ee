/** Replicated sessions and caches in a Spring Boot application, by properties alone. */
@org.jspecify.annotations.NullMarked
module org.terrace.spring.boot.starter {
  requires transitive org.terrace.collections.spring;
  requires transitive org.terrace.groups;
  requires org.terrace.metrics;
  requires transitive spring.beans;
  requires transitive spring.boot;
  requires transitive spring.boot.autoconfigure;
  requires transitive spring.boot.session;
  requires transitive spring.context;
  requires transitive spring.session.core;
  requires static org.terrace.invocation;
  requires static transitive micrometer.core;
  requires static transitive spring.boot.health;

  exports org.terrace.spring.boot.starter;

  // Spring makes the configurations and their beans by reflection.
  opens org.terrace.spring.boot.starter;
}
