/**
 * PostgreSQL, MariaDB and NDB-like clusters as ordinary processes, for trials, tests and
 * benchmarks.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that may use it come later
module org.terrace.databases {
  requires transitive org.terrace.core;
  requires org.apache.commons.compress;
  requires org.tukaani.xz;
  requires static com.google.errorprone.annotations;

  exports org.terrace.databases.mariadb;
  exports org.terrace.databases.ndblike to
      org.terrace.benchmarks,
      org.terrace.hosts,
      org.terrace.board;
  exports org.terrace.databases.postgres;
}
