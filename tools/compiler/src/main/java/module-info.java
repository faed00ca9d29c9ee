/** A class loader of the Java compiler, for Maven's own process (docs/decisions/0207). */
module org.terrace.build {
  exports org.terrace.build;
}
