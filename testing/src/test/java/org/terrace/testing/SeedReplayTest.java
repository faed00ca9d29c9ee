package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the list of seeds beside it, as every seeded test does. */
class SeedReplayTest {
  private static final List<Long> drawn = new ArrayList<>();
  private static final List<Long> histories = new ArrayList<>();

  private static final List<Path> folders = new ArrayList<>();

  @TempDir Path folder;

  @BeforeAll
  static void freshSeedsAreWanted() {
    Assumptions.assumeTrue(Long.getLong("terrace.seed") == null, "a seed is given");
  }

  @Test
  void drawsOne() {
    long seed = Seeds.next("drawsOne");
    assertThat(Seeds.next("the same call draws the same")).isEqualTo(seed);
    drawn.add(seed);
  }

  @Test
  void drawsHistories() {
    Seeds.histories("drawsHistories", 3).forEach(histories::add);
  }

  /** Its seeds are listed, so it is called more than once. */
  @Test
  void findsItsFoldersEmpty(@TempDir Path given) throws IOException {
    long seed = Seeds.next("findsItsFoldersEmpty");
    for (Path each : List.of(folder, given)) {
      try (var files = Files.list(each)) {
        assertThat(files).as("seed %d", seed).isEmpty();
      }
      Files.createFile(each.resolve("left behind"));
    }
    folders.add(folder);
  }

  @AfterAll
  static void theListedSeedsCameFirst() {
    assertThat(drawn).hasSize(3).startsWith(11L, -12L);
    assertThat(folders).hasSize(2).doesNotHaveDuplicates();
    assertThat(histories).startsWith(13L).hasSize(1 + Integer.getInteger("terrace.histories", 3));
  }

  @Test
  void tellsHowToReplayAFailure() throws NoSuchMethodException {
    Method method = SeedReplayTest.class.getDeclaredMethod("drawsOne");
    assertThat(SeedReplay.replayCommand(SeedReplayTest.class, method, -7))
        .contains(
            "JAVA_HOME=" + System.getProperty("java.home") + " ./mvnw",
            "-Dtest=SeedReplayTest#drawsOne",
            "-Dterrace.seed=-7");
  }

  @Test
  void tellsWhereASeedIsListedAndWhatMustBeDoneFirst() throws NoSuchMethodException {
    Method method = SeedReplayTest.class.getDeclaredMethod("drawsOne");
    assertThat(SeedReplay.listing(SeedReplayTest.class, method, -7, true))
        .contains(
            "Once mended, add the line \"drawsOne -7\"",
            "src/test/resources/org/terrace/testing/SeedReplayTest.seeds");
    assertThat(SeedReplay.listing(SeedReplayTest.class, method, -7, false))
        .contains("draw in the method itself, and add the line \"drawsOne -7\"");
  }

  @Test
  void knowsWhoDrew() {
    assertThat(ListedSeeds.isDrawnByMethod()).isFalse();
    Seeds.next("knowsWhoDrew");
    assertThat(ListedSeeds.isDrawnByMethod()).isTrue();
  }
}
