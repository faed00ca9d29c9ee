package org.terrace.experiment;

/**
 * A tier of an n-tier service, in the order a request passes them. Immutable.
 *
 * <p>The third octet of a server's loopback address is its tier, the fourth its number.
 */
public enum Tier {
  /** Web servers: reverse proxies that users talk to. */
  WEB("web", 1, 8080),
  /** Application servers. */
  APP("app", 2, 8080),
  /** Servers of the clustering middleware between the application and its databases. */
  MIDDLEWARE("middleware", 3, 7500),
  /** Databases. */
  DATABASE("database", 4, 5432);

  /** The tier of SQL nodes in a result, which have the place of the middleware in a topology. */
  static final String SQL_NODES = "sql-node";

  /** The tier of data nodes in a result, which have the place of the databases in a topology. */
  static final String DATA_NODES = "data-node";

  private final String label;
  private final int octet;
  private final int port;

  Tier(String label, int octet, int port) {
    this.label = label;
    this.octet = octet;
    this.port = port;
  }

  /** The word for the tier in specifications and results, for example {@code app}. */
  public String label() {
    return label;
  }

  /** The name of its servers' tier in the results of an experiment. */
  String shownLabel(Experiment experiment) {
    if (!experiment.isNdbLike()) {
      return label;
    }
    return switch (this) {
      case MIDDLEWARE -> SQL_NODES;
      case DATABASE -> DATA_NODES;
      case WEB, APP -> label;
    };
  }

  /** The label of the tier whose servers are shown as that in a result; its own where none is. */
  public static String labelOfShown(String shown) {
    return switch (shown) {
      case SQL_NODES -> MIDDLEWARE.label;
      case DATA_NODES -> DATABASE.label;
      default -> shown;
    };
  }

  /** The port its servers listen at. */
  public int port() {
    return port;
  }

  /** The name of the n-th server of the tier, counted from one, for example {@code app1}. */
  public String serverName(int number) {
    return label + number;
  }

  /** The address of the n-th server, counted from one, in a network such as {@code 127.0}. */
  public String address(String network, int number) {
    return network + "." + octet + "." + number;
  }
}
