/** Spring Session's sessions and Spring's caches in replicated maps. */
@org.jspecify.annotations.NullMarked
module org.terrace.collections.spring {
  requires transitive org.terrace.collections;
  requires static transitive spring.context;
  requires static transitive spring.core;
  requires static transitive spring.session.core;

  exports org.terrace.collections.spring.cache;
  exports org.terrace.collections.spring.session;
}
