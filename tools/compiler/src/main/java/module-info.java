/** A class loader of the Java compiler, for Maven's own process. */
module org.terrace.build {
  exports org.terrace.build;
}
