package org.terrace.cluster.jdbc.settings;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.terrace.cluster.core.ReadBalancer;
import org.terrace.cluster.core.WriteStrategy;
import org.terrace.cluster.server.copy.CopyPolicy;
import org.terrace.cluster.server.dialect.ReplicaAddress;
import org.terrace.cluster.sql.Engine;

/**
 * All that a URL and its properties say about a cluster. Immutable; two connections with equal
 * configurations share one cluster.
 *
 * @param replicas the servers, in the order of the URL
 * @param database the name of the database, the same at all of them
 * @param password shown nowhere
 * @param minimumReplicas with fewer active replicas than this, writes are refused
 * @param maxBehind how many answered transactions a replica may be behind before commits wait for
 *     it, where not all are waited for
 * @param poolSize the most connections to each replica
 * @param hang how long a replica may leave a probe unanswered before it is taken out
 * @param parse how long the analysis of one statement may take
 * @param lease how long the cluster stays its owner's who does not renew it
 * @param log the directory of the recovery log; empty: there is none
 * @param copy when the data of a server that is out are replaced by a copy of another's
 * @param membership which servers count when they were changed while the cluster was open
 * @param functions functions of which the user says that they are pure, in lower case
 * @param driverOptions what is handed to the real driver
 */
public record ClusterConfiguration(
    Engine engine,
    List<ReplicaAddress> replicas,
    String database,
    String user,
    String password,
    WriteStrategy strategy,
    Scheduling scheduling,
    ReadBalancer.Policy balancing,
    List<Integer> weights,
    int minimumReplicas,
    int maxBehind,
    int poolSize,
    Duration connect,
    Duration hang,
    Duration lockWait,
    Duration parse,
    Duration lease,
    String log,
    CopyPolicy copy,
    MembershipSource membership,
    Set<String> functions,
    Map<String, String> driverOptions) {

  /** The most servers that a cluster can have. */
  public static final int REPLICAS_MAX = 32;

  /** Copies what may change. */
  public ClusterConfiguration {
    replicas = List.copyOf(replicas);
    weights = List.copyOf(weights);
    functions = Set.copyOf(functions);
    driverOptions = Map.copyOf(driverOptions);
  }

  /** The URL of one replica for the real driver. */
  public String replicaUrl(ReplicaAddress replica) {
    return "jdbc:%s://%s/%s".formatted(engine.urlName(), replica, database);
  }

  /**
   * The most connections to each replica: those of clients, and those of transactions that it is
   * behind by.
   */
  public int connections() {
    return poolSize + (strategy == WriteStrategy.WAIT_ALL ? 0 : maxBehind);
  }

  /** The properties that are handed to the real driver beside the URL. */
  public Properties driverProperties() {
    Properties properties = new Properties();
    String connectMillis = String.valueOf(connect.toMillis());
    switch (engine) {
      case POSTGRESQL -> {
        String connectSeconds = String.valueOf(Math.max(1, connect.toSeconds()));
        properties.setProperty("connectTimeout", connectSeconds);
        // A server may accept the connection, and then say nothing.
        properties.setProperty("loginTimeout", connectSeconds);
      }
      case MARIADB -> properties.setProperty("connectTimeout", connectMillis);
    }
    properties.putAll(driverOptions);
    return properties;
  }

  /** The cluster's URL, without user, password and options. */
  public String url() {
    return "jdbc:terrace:%s://%s/%s"
        .formatted(
            engine.urlName(),
            String.join(",", replicas.stream().map(ReplicaAddress::toString).toList()),
            database);
  }

  @Override
  public String toString() {
    return url();
  }
}
