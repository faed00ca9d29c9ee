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
