/** A process that owns a clustered database for many applications, and their JDBC driver. */
@org.jspecify.annotations.NullMarked
module org.terrace.cluster.controller {
  requires jdk.net;
  requires static com.google.errorprone.annotations;
  requires org.terrace.cluster.jdbc;
  requires transitive java.sql;
  requires transitive org.terrace.core;

  exports org.terrace.cluster.controller;

  provides java.sql.Driver with
      org.terrace.cluster.controller.ControllerDriver;
}
