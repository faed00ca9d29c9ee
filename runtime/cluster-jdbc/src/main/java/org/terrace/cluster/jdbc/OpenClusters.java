package org.terrace.cluster.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.cluster.jdbc.session.ClusterConnection;
import org.terrace.cluster.jdbc.session.DatabaseCluster;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;

/**
 * The clusters that are open in this process: connections with equal configurations share one, and
 * the last that is closed closes it. Thread-safe.
 */
final class OpenClusters {
  private static final class Shared {
    private final DatabaseCluster cluster;
    private int users;

    Shared(DatabaseCluster cluster) {
      this.cluster = cluster;
    }
  }

  private static final Map<ClusterConfiguration, Shared> OPEN = new HashMap<>();
  private static final ReentrantLock LOCK = new ReentrantLock();

  private OpenClusters() {}

  /** A connection to a cluster, which is opened if it is not yet. */
  static Connection connect(ClusterConfiguration configuration) throws SQLException {
    DatabaseCluster cluster = acquire(configuration);
    return new ClusterConnection(cluster, () -> release(configuration));
  }

  /** The cluster, which is opened if it is not yet, until {@link #release}. */
  static DatabaseCluster acquire(ClusterConfiguration configuration) throws SQLException {
    LOCK.lock();
    try {
      Shared shared = OPEN.get(configuration);
      if (shared == null) {
        shared = new Shared(DatabaseCluster.open(configuration));
        OPEN.put(configuration, shared);
      }
      shared.users++;
      return shared.cluster;
    } finally {
      LOCK.unlock();
    }
  }

  /** Ends one use of a cluster. */
  static void release(ClusterConfiguration configuration) {
    DatabaseCluster closing = null;
    LOCK.lock();
    try {
      Shared shared = OPEN.get(configuration);
      if (shared != null && --shared.users == 0) {
        OPEN.remove(configuration);
        closing = shared.cluster;
      }
    } finally {
      LOCK.unlock();
    }
    if (closing != null) {
      closing.close();
    }
  }
}
