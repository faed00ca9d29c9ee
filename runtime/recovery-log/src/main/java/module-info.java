/** A checksummed log on disk of what was decided, from which those who were away catch up. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.recovery.log {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports org.terrace.recovery.log to
      org.terrace.cluster.jdbc;
}
