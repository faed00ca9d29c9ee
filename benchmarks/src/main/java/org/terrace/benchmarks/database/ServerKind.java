package org.terrace.benchmarks.database;

import org.terrace.benchmarks.OnlyFlag;
import org.terrace.databases.mariadb.MariaDbServer;

/** A kind of database server that a cluster is made of. */
enum ServerKind {
  POSTGRESQL,
  MARIADB;

  /** The reason for which there is none on this machine; empty if there is. */
  String missing() {
    return switch (this) {
      case POSTGRESQL -> "";
      case MARIADB -> MariaDbServer.isInstallable() ? "" : "there is no MariaDB for this machine";
    };
  }

  @Override
  public String toString() {
    return OnlyFlag.name(this);
  }
}
