package org.terrace.benchmarks.database;

import org.terrace.benchmarks.OnlyFlag;

/** A way from the clients to the data. */
enum TierSubject {
  /** One server by its own driver: what any of the others is a multiple of. */
  DIRECT(1, ""),
  /** Two servers in this process, one write at a time. */
  SERIAL_2(2, "serial"),
  /** Two servers in this process; writes of different tables go on side by side. */
  TABLE_2(2, "table"),
  /** Two servers in this process; writes of different rows go on side by side. */
  KEY_2(2, "key"),
  /** The same with three servers. */
  KEY_3(3, "key"),
  /** Two servers by a controller, a process of its own. */
  CONTROLLER_2(2, "key"),
  /** Two PostgreSQL servers by pgpool-II. */
  PGPOOL_2(2, ""),
  /** Two MariaDB servers that are a cluster by Galera, half of the clients at each. */
  GALERA_2(2, "");

  private final int replicas;
  private final String scheduling;

  TierSubject(int replicas, String scheduling) {
    this.replicas = replicas;
    this.scheduling = scheduling;
  }

  /** Whether it is measured on servers of a kind. */
  boolean isOn(ServerKind kind) {
    return switch (kind) {
      case POSTGRESQL -> this != GALERA_2;
      case MARIADB -> !isPeer();
      case DEBIAN_MARIADB -> this == DIRECT || this == KEY_2;
      case GALERA -> this == GALERA_2;
    };
  }

  /** Whether it is somebody else's cluster. */
  boolean isPeer() {
    return this == PGPOOL_2 || this == GALERA_2;
  }

  int replicas() {
    return replicas;
  }

  /** The scheduling of its writes as the URL says it; empty where none is. */
  String scheduling() {
    return scheduling;
  }

  @Override
  public String toString() {
    return OnlyFlag.name(this);
  }
}
