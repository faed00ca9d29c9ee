package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * The steps of {@link ClusterTest} in which the way to a server falls silent, and nothing that was
 * connected is ever told: while it serves, while it is asked to come back, and while it does so.
 */
final class SilenceSteps {
  private static final Duration LONGEST = Duration.ofSeconds(40);
  private static final String OPTIONS = "&connectMillis=1000&hangMillis=1000";
  private static final int SILENT = 2;

  private SilenceSteps() {}

  /** Takes the steps, with the log of these options; the servers are all there at the end. */
  static void take(RealReplicas replicas, String log) throws Exception {
    try (FreezingRelay relay = FreezingRelay.to(replicas.place(SILENT))) {
      String url = replicas.url(log + OPTIONS).replace(replicas.place(SILENT), relay.place());
      try (ClusterDataSource source = ClusterDataSource.open(url, "shop", "")) {
        whoSaysNothingWhenAskedToReturnIsAskedAgain(source, relay);
        whoFallsSilentWhileItReturnsIsAskedAgain(source, relay);
      }
    }
    // From here on the servers know each other by their own names again.
    replicas.open(log).close();
    assertThat(
            replicas.everywhere("SELECT id FROM entry WHERE id > 7000000000 ORDER BY id", 0, 1, 2))
        .containsOnly("7000000001\n7000000002\n");
  }

  private static void whoSaysNothingWhenAskedToReturnIsAskedAgain(
      ClusterDataSource source, FreezingRelay relay) throws Exception {
    relay.freeze();
    awaitOut(source, relay);
    insert(source, 7000000001L);
    relay.thaw();
    awaitReturn(source);
  }

  /**
   * Checks that a replica that falls silent in the midst of its return is asked again: without a
   * watch nobody would miss it.
   */
  private static void whoFallsSilentWhileItReturnsIsAskedAgain(
      ClusterDataSource source, FreezingRelay relay) throws Exception {
    relay.freeze();
    awaitOut(source, relay);
    insert(source, 7000000002L);
    relay.freezeAt("7000000002");
    relay.thaw();
    assertThat(Await.until(LONGEST, relay::isFrozen)).as("it does the insertion again").isTrue();
    assertThat(source.losses()).containsKey(relay.place());
    relay.thaw();
    awaitReturn(source);
  }

  private static void awaitOut(ClusterDataSource source, FreezingRelay relay) {
    assertThat(Await.until(LONGEST, () -> source.losses().containsKey(relay.place()))).isTrue();
  }

  private static void awaitReturn(ClusterDataSource source) {
    assertThat(Await.until(LONGEST, () -> source.losses().isEmpty()))
        .as(() -> "losses: " + source.losses())
        .isTrue();
  }

  private static void insert(ClusterDataSource source, long id) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO entry VALUES (" + id + ", 0)");
    }
  }
}
