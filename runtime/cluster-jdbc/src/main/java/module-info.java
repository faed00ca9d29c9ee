/** One JDBC URL, many databases: servers of PostgreSQL or MariaDB that stay identical. */
@org.jspecify.annotations.NullMarked
module org.terrace.cluster.jdbc {
  requires com.zaxxer.hikari;
  requires static com.google.errorprone.annotations;
  requires transitive java.sql;
  requires org.terrace.cluster.server;
  requires org.terrace.cluster.core;
  requires org.terrace.cluster.sql;
  requires org.terrace.recovery.log;
  requires transitive org.terrace.core;

  exports org.terrace.cluster.jdbc;
  exports org.terrace.cluster.jdbc.inspection;

  provides java.sql.Driver with
      org.terrace.cluster.jdbc.ClusterDriver;
}
