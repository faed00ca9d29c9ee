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
 * @param dataNodes the places of all data nodes of an NDB-like cluster, such as {@code
 *     127.0.4.1:3306}; empty for any other database
 * @param number the number of a data node, or of an arbitrator's group, counted from one; 0 for any
 *     other server
 */
public record DatabasePlan(
    DatabaseSystem system,
    String address,
    int port,
    String database,
    List<String> clients,
    List<String> dataNodes,
    int number) {
  /** Copies the lists. */
  public DatabasePlan {
    clients = List.copyOf(clients);
    dataNodes = List.copyOf(dataNodes);
  }

  /** A server that is no part of an NDB-like cluster. */
  public DatabasePlan(
      DatabaseSystem system, String address, int port, String database, List<String> clients) {
    this(system, address, port, database, clients, List.of(), 0);
  }

  /** A database management system. */
  public enum DatabaseSystem {
    /** PostgreSQL. */
    POSTGRESQL,
    /** MariaDB. */
    MARIADB,
    /** A data node of an NDB-like cluster. */
    NDB_DATA_NODE,
    /** An SQL node of an NDB-like cluster. */
    NDB_SQL_NODE,
    /** The arbitrator of a group of data nodes, which has none. */
    NDB_ARBITRATOR
  }
}
