/**
 * The ground that every part of Terrace stands on: time sources, error codes, the identity of
 * requests, codecs, orders and intervals, and processes that end with who started them. Needs the
 * JDK alone.
 */
@org.jspecify.annotations.NullMarked
module org.terrace.core {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports org.terrace.core;
  exports org.terrace.core.codec;
  exports org.terrace.core.process;
}
