package org.terrace.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.terrace.core.TerraceException;

/**
 * Files that were cut or damaged: each gives events and readings, or an error that names the file.
 */
final class Damage {
  private static final int ROUNDS = 300;

  private Damage() {}

  /** Cuts a file at every byte. */
  static void cut(Path directory, byte[] whole) throws IOException {
    Path file = directory.resolve("cut");
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      check(file);
    }
  }

  /** Changes bytes of a file at random. */
  static void change(Path directory, byte[] whole, RandomGenerator random) throws IOException {
    Path file = directory.resolve("damaged");
    for (int round = 0; round < ROUNDS; round++) {
      byte[] damaged = whole.clone();
      for (int change = random.nextInt(6); change >= 0; change--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      Files.write(file, damaged);
      check(file);
    }
  }

  static void check(Path file) {
    try {
      Evidence read = EvidenceFile.read(file, "db1", ZoneOffset.UTC);
      assertThat(read.events()).allMatch(event -> event.endNanos() >= event.startNanos());
      assertThat(read.samples()).allMatch(sample -> Double.isFinite(sample.value()));
    } catch (TerraceException e) {
      assertThat(e).hasMessageContaining(file.toString());
    }
  }
}
