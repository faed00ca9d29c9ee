/** All that a clustered database asks of one server: its dialect, its memory, its tables. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.cluster.server {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires static org.postgresql.jdbc;
  requires transitive java.sql;
  requires org.terrace.cluster.core;
  requires org.terrace.cluster.sql;

  exports org.terrace.cluster.server.dialect to
      org.terrace.cluster.jdbc;
  exports org.terrace.cluster.server.memory to
      org.terrace.cluster.jdbc;
  exports org.terrace.cluster.server.copy to
      org.terrace.cluster.jdbc;
}
