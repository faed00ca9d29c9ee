/** Replicated invocation: one call, many replicas, effects exactly once. */
@org.jspecify.annotations.NullMarked
module org.terrace.invocation {
  requires transitive java.sql;
  requires transitive org.terrace.groups;

  exports org.terrace.invocation;
  exports org.terrace.invocation.middleware;
  exports org.terrace.invocation.softstate;
}
