/** What every part of Terrace shares: time sources and error codes. Needs the JDK alone. */
@org.jspecify.annotations.NullMarked
module org.terrace.core {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports org.terrace.core;
}
