/** The analysis of statements for a cluster of databases: it knows SQL and no connection. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.cluster.sql {
  requires net.sf.jsqlparser;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires transitive java.sql;
  requires org.terrace.cluster.core;

  exports org.terrace.cluster.sql to
      org.terrace.cluster.jdbc,
      org.terrace.cluster.server;
}
