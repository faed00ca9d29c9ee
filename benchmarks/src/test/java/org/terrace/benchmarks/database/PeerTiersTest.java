package org.terrace.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.databases.ndblike.NdbLikePrograms;
import org.terrace.databases.postgres.PgpoolServer;

/** The peers of the clustered database, where their packages are installed. */
@Tag("real-processes")
@Tag("untimed")
class PeerTiersTest {
  private static final int WRITES = 20;

  @TempDir private Path folder;

  @Test
  void whatIsWrittenByPgpoolIsAtBothServers() throws Exception {
    assumeThat(PgpoolServer.lacking()).isEmpty();

    writeAndCompare(ServerKind.POSTGRESQL, TierSubject.PGPOOL_2);
  }

  @Test
  void whatIsWrittenAtEitherNodeOfGaleraIsAtBoth() throws Exception {
    assumeThat(NdbLikePrograms.lacking()).isEmpty();

    writeAndCompare(ServerKind.GALERA, TierSubject.GALERA_2);
  }

  private void writeAndCompare(ServerKind kind, TierSubject subject) throws Exception {
    try (ServerFleet fleet = ServerFleet.unlimited(kind, 2)) {
      fleet.reset();
      FleetContent.Effects before = FleetContent.effects(fleet, StatementMix.HOT_ROWS);
      try (OpenTier tier =
              OpenTier.open(subject, fleet, folder.resolve("log"), folder.resolve("messages"));
          MixSession one = new MixSession(tier, StatementMix.HOT_ROWS, 1);
          MixSession other = new MixSession(tier, StatementMix.HOT_ROWS, 2)) {
        for (int i = 0; i < WRITES; i++) {
          one.write();
          other.write();
          assertThat(one.read()).isPositive();
        }
        if (subject == TierSubject.PGPOOL_2) {
          assertThat(tier.cpuSeconds()).isPositive();
        }
      }
      assertThat(FleetContent.effects(fleet, StatementMix.HOT_ROWS).wrong(before, 2L * WRITES, 0))
          .isZero();
      assertThat(FleetContent.unequal(fleet, 2)).isZero();
    }
  }
}
