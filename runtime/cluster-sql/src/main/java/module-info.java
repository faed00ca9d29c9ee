/** The analysis of statements for a cluster of databases: it knows SQL and no connection. */
@org.jspecify.annotations.NullMarked
module org.terrace.cluster.sql {
  requires net.sf.jsqlparser;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires transitive java.sql;
  requires org.terrace.cluster.core;

  exports org.terrace.cluster.sql;
}
