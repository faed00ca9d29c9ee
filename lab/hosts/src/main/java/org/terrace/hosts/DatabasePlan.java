package org.terrace.hosts;

/**
 * A database server as a host is asked to make it. Immutable.
 *
 * @param system the database management system
 * @param address the address it listens at, the only one
 * @param port the port it listens at
 * @param database the name of the database, and of the user who may do everything in it
 * @param clients the network of its clients, such as {@code 127.0.0.0/8}; nobody else may log in
 */
public record DatabasePlan(
    DatabaseSystem system, String address, int port, String database, String clients) {
  /** A database management system. */
  public enum DatabaseSystem {
    /** PostgreSQL. */
    POSTGRESQL,
    /** MariaDB. */
    MARIADB
  }
}
