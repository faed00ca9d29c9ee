package org.terrace.cluster.sql;

import java.util.Arrays;
import java.util.Optional;

/** The database systems that can be clustered. */
public enum Engine {
  /** PostgreSQL, by pgjdbc. */
  POSTGRESQL("postgresql", 5432, "org.postgresql.Driver", "org.postgresql:postgresql"),
  /** MariaDB, by Connector/J. */
  MARIADB("mariadb", 3306, "org.mariadb.jdbc.Driver", "org.mariadb.jdbc:mariadb-java-client");

  private final String urlName;
  private final int defaultPort;
  private final String driverClass;
  private final String driverArtifact;

  Engine(String urlName, int defaultPort, String driverClass, String driverArtifact) {
    this.urlName = urlName;
    this.defaultPort = defaultPort;
    this.driverClass = driverClass;
    this.driverArtifact = driverArtifact;
  }

  /** The engine of that name in a URL. */
  public static Optional<Engine> named(String name) {
    return Arrays.stream(values()).filter(engine -> engine.urlName.equals(name)).findFirst();
  }

  /** The name in a URL. */
  public String urlName() {
    return urlName;
  }

  /** The TCP port when the URL names none. */
  public int defaultPort() {
    return defaultPort;
  }

  /** The class of the real driver. */
  public String driverClass() {
    return driverClass;
  }

  /** The Maven coordinates, without version, of the real driver. */
  public String driverArtifact() {
    return driverArtifact;
  }
}
