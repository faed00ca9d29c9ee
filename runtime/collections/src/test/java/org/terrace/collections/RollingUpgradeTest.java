package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.groups.ProtocolVersions;
import org.terrace.testing.Seeds;

/**
 * Three real processes under load that are replaced one after the other by ones of another version
 * of the protocol, each where the one before listened: nothing acknowledged is lost.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class RollingUpgradeTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final RealProcess.Build NEW = RealProcess.Build.ofHere();
  private static final RealProcess.Build HELD_AT_3 =
      RealProcess.Build.ofHere("-D" + ProtocolVersions.MOST_PROPERTY + "=3");

  /**
   * Messages that a member may have to refuse in all: the first words to it of those who knew the
   * one that it replaced.
   */
  private static final int REFUSED_MAX = 6;

  private static void assertSpeak(RealHistory history, List<String> names, int version) {
    history.awaitAnswer(names, "protocol", answer -> answer.startsWith(version + " "));
    for (String name : names) {
      String[] answer = history.ask(name, "protocol").split(" ", -1);
      assertThat(Integer.parseInt(answer[1])).as("refused by %s", name).isLessThan(REFUSED_MAX);
      assertThat(answer[2]).as("whether %s is excluded", name).isEqualTo("false");
    }
  }

  @Test
  void aGroupOfTheBuildOfVersion3IsUpgradedAndTakenBackUnderLoad(@TempDir Path folder)
      throws Exception {
    Optional<RealProcess.Build> built = OldBuild.of(3, folder);
    Assumptions.assumeTrue(
        built.isPresent(), "the repository's history has no commit with version 3 of the protocol");
    RealProcess.Build old = built.orElseThrow();
    long seed = Seeds.next("aGroupOfTheBuildOfVersion3IsUpgradedAndTakenBackUnderLoad");
    try (RealHistory history = new RealHistory(seed, folder, "sound", old)) {
      history.replace("a", NEW);
      assertSpeak(history, List.of("a"), 3);
      history.replace("b", NEW);
      assertSpeak(history, List.of("a", "b"), 3);
      history.replace("a", old);
      assertSpeak(history, List.of("b"), 3);
      history.replace("a", NEW);
      history.replace("c", NEW);
      assertSpeak(history, NAMES, 4);
      history.replace("b", old);
      assertSpeak(history, List.of("a", "c"), 3);
      history.replace("b", NEW);
      assertSpeak(history, NAMES, 4);

      assertThat(history.tally.violations).isEmpty();
      assertThat(history.tally.acknowledged).isPositive();
      assertThat(refusals(folder)).as("messages that old members refused").isLessThan(REFUSED_MAX);
    }
  }

  @Test
  void aGroupThatIsHeldAtVersion3RisesOnceTheLastIsLetGo(@TempDir Path folder) {
    long seed = Seeds.next("aGroupThatIsHeldAtVersion3RisesOnceTheLastIsLetGo");
    try (RealHistory history = new RealHistory(seed, folder, "sound", HELD_AT_3)) {
      assertSpeak(history, NAMES, 3);
      for (String name : NAMES) {
        assertSpeak(history, NAMES, 3);
        history.replace(name, NEW);
      }
      assertSpeak(history, NAMES, 4);
      history.replace("a", HELD_AT_3);
      assertSpeak(history, NAMES, 3);

      assertThat(history.tally.violations).isEmpty();
      assertThat(history.tally.acknowledged).isPositive();
    }
  }

  /** Errors that processes have logged about versions, in the words of old and new ones. */
  private static long refusals(Path folder) throws IOException {
    long lines = 0;
    for (String name : NAMES) {
      lines +=
          Files.readAllLines(folder.resolve(name + ".log")).stream()
              .filter(line ->
                  line.contains("it is not let in")
                      || line.contains("of the collections' protocol"))
              .count();
    }
    return lines;
  }
}
