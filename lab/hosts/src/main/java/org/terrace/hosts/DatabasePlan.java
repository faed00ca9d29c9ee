package org.terrace.hosts;

import java.util.List;

/**
 * A database server as a host is asked to make it. Immutable.
 *
 * @param system the database management system
 * @param address the address it listens at, the only one
 * @param port the port it listens at
 * @param database the name of the database, and of the user who may do everything in it
 * @param clients the networks of its clients, such as {@code 127.0.0.0/8}: whoever is there may log
 *     in without a password, and nobody else may
 */
public record DatabasePlan(
    DatabaseSystem system, String address, int port, String database, List<String> clients) {
  /** Copies the networks. */
  public DatabasePlan {
    clients = List.copyOf(clients);
  }

  /** A database management system. */
  public enum DatabaseSystem {
    /** PostgreSQL. */
    POSTGRESQL,
    /** MariaDB. */
    MARIADB
  }
}
