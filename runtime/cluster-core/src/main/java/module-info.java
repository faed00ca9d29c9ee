/** The decisions of a clustered database: order, agreement, who is active. Pure. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.cluster.core {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports org.terrace.cluster.core to
      org.terrace.cluster.jdbc,
      org.terrace.cluster.server,
      org.terrace.cluster.sql;
}
