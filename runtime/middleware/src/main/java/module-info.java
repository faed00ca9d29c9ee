/** One call over one wire, behind one interface. */
@org.jspecify.annotations.NullMarked
module org.terrace.middleware {
  requires transitive org.terrace.core;

  exports org.terrace.middleware;

  uses org.terrace.middleware.Middleware;
}
