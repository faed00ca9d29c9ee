/** Replicated collections: soft state that survives the crash of any of its replicas. */
@org.jspecify.annotations.NullMarked
module org.terrace.collections {
  requires org.terrace.collections.structures;
  requires transitive org.terrace.groups;
  requires jdk.jfr;

  exports org.terrace.collections;
  exports org.terrace.collections.replication;
}
