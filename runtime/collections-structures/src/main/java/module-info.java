/** The data structures under replicated collections, which know neither replicas nor a network. */
@org.jspecify.annotations.NullMarked
module org.terrace.collections.structures {
  requires transitive org.terrace.core;

  exports org.terrace.collections.structures;
}
