package org.terrace.benchmarks.database;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.core.TimeSource;
import org.terrace.load.Latencies;

/**
 * The price of a read by the cluster in this process over one by the bare driver: blocks of both in
 * turn, on one thread. Stateless.
 */
final class ReadCost {
  private static final String QUERY = "SELECT comments FROM story WHERE id = ?";
  private static final int MEDIAN = 50;
  private static final TimeSource TIME = TimeSource.system();

  private ReadCost() {}

  /**
   * Measures blocks of each; the first ones warm up and are not counted.
   *
   * @param log where the recovery log is to be; nothing must be there
   */
  static void measure(
      ServerFleet fleet, Path log, String level, int blocks, int reads, FigureTable figures)
      throws SQLException {
    fleet.reset();
    String url = fleet.clusterUrl(2, "scheduling=key&log=" + log);
    try (ClusterDataSource cluster = ClusterDataSource.open(url, MeasuredServer.DATABASE, "");
        Connection bare = fleet.direct(0);
        Connection clustered = cluster.getConnection();
        PreparedStatement bareQuery = bare.prepareStatement(QUERY);
        PreparedStatement clusteredQuery = clustered.prepareStatement(QUERY)) {
      for (int block = -blocks; block < blocks; block++) {
        double bareMicros = medianMicros(bareQuery, reads);
        double clusteredMicros = medianMicros(clusteredQuery, reads);
        if (block >= 0) {
          figures.add("direct", level, "read-p50-us", bareMicros);
          figures.add("key-2", level, "read-p50-us", clusteredMicros);
          figures.add("key-2", level, "read-overhead-us", clusteredMicros - bareMicros);
        }
      }
    }
  }

  private static double medianMicros(PreparedStatement query, int reads) throws SQLException {
    Latencies latencies = new Latencies();
    for (int i = 0; i < reads; i++) {
      long startNanos = TIME.elapsedNanos();
      query.setInt(1, 1 + i % MixSession.STORIES);
      try (ResultSet rows = query.executeQuery()) {
        if (!rows.next() || rows.getInt(1) < 1) {
          throw new SQLException("a story that is there was not found");
        }
      }
      latencies.add(TIME.elapsedNanos() - startNanos);
    }
    return latencies.micros(MEDIAN);
  }
}
