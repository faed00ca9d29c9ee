package org.terrace.cluster.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.testing.Seeds;

/** The campaign of {@code terrace prove database}, short. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class DatabaseProofTest {
  private static final int KILLS = 2;

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  @Timeout(600)
  void nothingIsLostDoubledOrDiverged(String engine) throws Exception {
    DatabaseProof.Verdict verdict =
        DatabaseProof.run(
            Seeds.next("DatabaseProofTest"), KILLS, engine, folder, System.out::println);

    assertThat(verdict.violations()).isEmpty();
    // Before each kill one or more, as many as the seed says.
    assertThat(verdict.facts().get("transactions acknowledged")).isGreaterThanOrEqualTo(KILLS);
    assertThat(verdict.facts()).containsEntry("planted faults found", 4L);
  }
}
