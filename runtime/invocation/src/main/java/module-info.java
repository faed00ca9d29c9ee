/** Replicated invocation: one call, many replicas, effects exactly once. */
@org.jspecify.annotations.NullMarked
module org.terrace.invocation {
  requires static com.google.errorprone.annotations;
  requires transitive java.sql;
  requires transitive org.terrace.control;

  exports org.terrace.invocation;
  exports org.terrace.invocation.retention;
  exports org.terrace.invocation.softstate;
}
