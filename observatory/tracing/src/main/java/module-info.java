/** Requests to transactions: stitching, and the files of tracing systems. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.tracing {
  requires transitive org.terrace.observation;
  requires tools.jackson.core;

  exports org.terrace.tracing.span;
  exports org.terrace.tracing.stitch to
      org.terrace.details;
  exports org.terrace.tracing.transaction to
      org.terrace.details;
}
