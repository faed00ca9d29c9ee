/** The decisions of a clustered database: order, agreement, who is active. Pure. */
@org.jspecify.annotations.NullMarked
module org.terrace.cluster.core {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports org.terrace.cluster.core;
}
