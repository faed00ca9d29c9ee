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
  CONTROLLER_2(2, "key");

  private final int replicas;
  private final String scheduling;

  TierSubject(int replicas, String scheduling) {
    this.replicas = replicas;
    this.scheduling = scheduling;
  }

  int replicas() {
    return replicas;
  }

  /** The scheduling of its writes as the URL says it; empty for a server alone. */
  String scheduling() {
    return scheduling;
  }

  @Override
  public String toString() {
    return OnlyFlag.name(this);
  }
}
