package org.terrace.benchmarks.database;

import org.terrace.benchmarks.OnlyFlag;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.ndblike.NdbLikePrograms;

/** A kind of database server that a cluster is made of. */
enum ServerKind {
  POSTGRESQL("postgresql"),
  MARIADB("mariadb"),
  /** The MariaDB that Galera comes with: what Galera is compared with has its version. */
  DEBIAN_MARIADB("mariadb"),
  /** Two of the same that are a cluster by themselves. */
  GALERA("mariadb");

  private final String engine;

  ServerKind(String engine) {
    this.engine = engine;
  }

  /** The reason for which there is none on this machine; empty if there is. */
  String missing() {
    return switch (this) {
      case POSTGRESQL -> "";
      case MARIADB -> MariaDbServer.isInstallable() ? "" : "there is no MariaDB for this machine";
      case DEBIAN_MARIADB, GALERA -> NdbLikePrograms.lacking().orElse("");
    };
  }

  /** The database system as a cluster's URL names it. */
  String engine() {
    return engine;
  }

  @Override
  public String toString() {
    return OnlyFlag.name(this);
  }
}
