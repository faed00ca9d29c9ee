/** The data structures under replicated collections, which know neither replicas nor a network. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.collections.structures {
  requires transitive org.terrace.core;
  requires org.terrace.groups;

  exports org.terrace.collections.structures to
      org.terrace.collections;
  exports org.terrace.collections.structures.causality to
      org.terrace.collections;
  exports org.terrace.collections.structures.messages to
      org.terrace.collections;
}
