/** Groups of processes: membership, failure detection, multicast. */
@org.jspecify.annotations.NullMarked
module org.terrace.groups {
  requires transitive org.terrace.core;

  exports org.terrace.groups;
  exports org.terrace.groups.builtin;
  exports org.terrace.groups.service;
}
