/** The copy of one database server's tables to another, as a clustered database needs it. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.cluster.copy {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires static org.postgresql.jdbc;
  requires transitive java.sql;

  exports org.terrace.cluster.copy to
      org.terrace.cluster.jdbc;
}
