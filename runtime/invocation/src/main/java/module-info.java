/**
 * Replicated invocation: one call, many replicas, effects exactly once.
 *
 * <p>The vocabulary of services is in one package, and one stands on it for each end of a call, so
 * that a client's program need not know of servers. Besides those: the execution that retains
 * replies in a database, for proofs that open it without a server, and what services over soft
 * state need.
 */
@org.jspecify.annotations.NullMarked
module org.terrace.invocation {
  requires static com.google.errorprone.annotations;
  requires transitive java.sql;
  requires transitive org.terrace.control;

  exports org.terrace.invocation;
  exports org.terrace.invocation.client;
  exports org.terrace.invocation.retention;
  exports org.terrace.invocation.server;
  exports org.terrace.invocation.softstate;
}
