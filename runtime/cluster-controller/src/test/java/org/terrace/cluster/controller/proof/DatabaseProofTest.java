package org.terrace.cluster.controller.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.isolation.AnomalyKind;

/** The campaign of {@code terrace prove database}, short. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class DatabaseProofTest {
  /** Half of the faults, of which the seed says which. */
  private static final int FAULTS = 4;

  @TempDir private Path folder;

  static Stream<Arguments> clusters() {
    return Depth.databases()
        .flatMap(
            engine -> Stream.of(ProofAccess.values()).map(access -> Arguments.of(engine, access)));
  }

  @ParameterizedTest
  @MethodSource("clusters")
  @Timeout(600)
  void nothingIsLostDoubledOrDiverged(String engine, ProofAccess access) throws Exception {
    DatabaseProof.Verdict verdict =
        DatabaseProof.run(
            Seeds.next("DatabaseProofTest"), FAULTS, engine, access, folder, System.out::println);

    assertThat(verdict.violations()).isEmpty();
    // Before each fault and after it one or more, as many as the seed says.
    assertThat(verdict.facts().get("transactions acknowledged")).isGreaterThanOrEqualTo(2 * FAULTS);
    assertThat(verdict.facts())
        .containsEntry("planted faults found", 5L)
        .containsEntry("planted lost ends of the log found", 1L)
        .containsEntry("planted anomalies found", (long) AnomalyKind.values().length);
  }
}
