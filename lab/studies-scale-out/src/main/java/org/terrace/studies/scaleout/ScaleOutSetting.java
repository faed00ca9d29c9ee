package org.terrace.studies.scaleout;

import java.util.Map;
import org.terrace.scaling.Configuration;

/**
 * A configuration as the paper writes it, such as {@code 1/2/1/2ML}, with the way of replication
 * and the mix. Immutable.
 *
 * @param system the database system, {@code mariadb}, {@code postgresql} or {@code ndb-like}
 * @param lowCost whether the databases are on low-cost nodes
 * @param apps the application servers
 * @param middleware the servers of clustering middleware, 0 or 1, or the SQL nodes
 * @param databases the databases, or the data nodes
 * @param strategy the way of replication, {@code wait-all} or {@code wait-first}
 * @param mix the mix of interactions, {@code read-write} or {@code browse-only}
 */
record ScaleOutSetting(
    String system,
    boolean lowCost,
    int apps,
    int middleware,
    int databases,
    String strategy,
    String mix) {
  static final String MARIADB = "mariadb";
  static final String POSTGRESQL = "postgresql";
  static final String NDB_LIKE = "ndb-like";
  static final String WAIT_ALL = "wait-all";
  static final String WAIT_FIRST = "wait-first";
  static final String READ_WRITE = "read-write";
  static final String BROWSE_ONLY = "browse-only";

  /** The type of low-cost nodes, as a topology's letter has it. */
  static final String LOW_COST = "L";

  /** The field of a specification that has the way of replication. */
  static final String REPLICATION = "replication";

  /** The field of a specification that has the mix. */
  static final String MIX = "load.mix";

  /** MariaDB behind middleware on normal nodes, read and written, with writes at all at once. */
  static ScaleOutSetting mariaDb(int apps, int databases) {
    return new ScaleOutSetting(MARIADB, false, apps, 1, databases, WAIT_ALL, READ_WRITE);
  }

  /** The same with PostgreSQL. */
  static ScaleOutSetting postgres(int apps, int databases) {
    return new ScaleOutSetting(POSTGRESQL, false, apps, 1, databases, WAIT_ALL, READ_WRITE);
  }

  /** Two SQL nodes before data nodes, which are partitioned and replicated. */
  static ScaleOutSetting ndbLike(int apps, int dataNodes) {
    return new ScaleOutSetting(NDB_LIKE, false, apps, 2, dataNodes, WAIT_ALL, READ_WRITE);
  }

  /** MariaDB on low-cost nodes. */
  static ScaleOutSetting lowCost(int apps, int databases) {
    return new ScaleOutSetting(MARIADB, true, apps, 1, databases, WAIT_ALL, READ_WRITE);
  }

  /** The same with a client answered by the first database; a single one is not replicated. */
  ScaleOutSetting first() {
    return databases == 1
        ? this
        : new ScaleOutSetting(system, lowCost, apps, middleware, databases, WAIT_FIRST, mix);
  }

  /** The same with readers only. */
  ScaleOutSetting browsed() {
    return new ScaleOutSetting(system, lowCost, apps, middleware, databases, strategy, BROWSE_ONLY);
  }

  /** The same without the middleware. */
  ScaleOutSetting direct() {
    return new ScaleOutSetting(system, lowCost, apps, 0, databases, strategy, mix);
  }

  /** Whether it has SQL nodes and data nodes. */
  boolean isNdbLike() {
    return system.equals(NDB_LIKE);
  }

  /** The topology in a mesh's specification. */
  String topology() {
    String letter =
        switch (system) {
          case MARIADB -> "M";
          case NDB_LIKE -> "N";
          default -> "P";
        };
    return numbers() + letter + (lowCost ? LOW_COST : "");
  }

  private String numbers() {
    return "1/" + apps + "/" + middleware + "/" + databases;
  }

  /** The configuration of its trials. */
  Configuration configuration() {
    return new Configuration(
        numbers(),
        system,
        lowCost ? Map.of("database", LOW_COST) : Map.of(),
        Map.of(REPLICATION, strategy, MIX, mix));
  }
}
