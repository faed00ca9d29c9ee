/** Groups over JGroups: its discovery, encryption and cloud protocols under Terrace's interface. */
@org.jspecify.annotations.NullMarked
module org.terrace.groups.jgroups {
  requires transitive org.terrace.groups;
  requires org.jgroups;

  exports org.terrace.groups.jgroups;
}
