package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageProofTest {
  private static final Path DATA = Path.of("/data");

  @ParameterizedTest
  @ValueSource(longs = {1 << 16, 100_000, 1_000_000, 5 << 20, 128 << 20})
  void aProofTakesAboutHalfASecondOfTheLimitInWholePages(long limitBytes) {
    StorageProof proof = StorageProof.of(DATA, limitBytes);

    assertThat(proof.blockBytes() % 4096).isZero();
    assertThat((double) proof.blocks() * proof.blockBytes() / limitBytes).isBetween(0.35, 0.6);
  }

  @Test
  void whatTakesItsTimeAndIsCountedHolds() {
    StorageProof proof = StorageProof.of(DATA, 1 << 20);
    long bytes = proof.blocks() * proof.blockBytes();

    assertThat(proof.complaint("written to", 0.45, bytes)).isEmpty();
    assertThat(proof.complaint("written to", 0.2, bytes))
        .hasValueSatisfying(why ->
            assertThat(why)
                .contains("524,288 bytes were written to /data in 0.20 s")
                .contains("were to take 0.50: its file system does not heed the limit"));
  }

  /** A disk that is slow, or a machine that is busy, takes as long without any limit. */
  @Test
  void whatTakesItsTimeAndIsNotCountedDoesNotHold() {
    Optional<String> complaint = StorageProof.of(DATA, 1 << 20).complaint("read from", 3.0, 4096);

    assertThat(complaint)
        .hasValueSatisfying(why ->
            assertThat(why)
                .contains("524,288 bytes were read from /data")
                .contains("the control group has counted 4,096")
                .contains("whom the limit does not hold"));
  }
}
