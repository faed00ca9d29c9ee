/** A checksummed log on disk of what was decided, from which those who were away catch up. */
@org.jspecify.annotations.NullMarked
module org.terrace.recovery.log {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports org.terrace.recovery.log;
}
