package org.terrace.load.mix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;

class RubbosTransitionsTest {
  private static Path published(String name) {
    Path file =
        Path.of(System.getProperty("terrace.root", "."))
            .resolve("../shared/data/rubbos")
            .resolve(name + "_transitions.txt");
    Assumptions.assumeTrue(
        Files.exists(file), "RUBBoS's published transition files are not beside the repository");
    return file;
  }

  @Test
  void thePublishedUserTableGivesTheKnownFigures() {
    TransitionTable table = RubbosTransitions.read(published("user_default"));
    Stationary figures = table.stationary();

    assertThat(table.states()).hasSize(24).contains("AuthorLogin", "AuthorTask");
    assertThat(figures.pagesPerSession()).isCloseTo(14.0, within(0.1));
    assertThat(figures.share(RubbosTransitions.WRITES)).isCloseTo(0.119, within(0.001));
    assertThat(figures.share("ViewStory")).isCloseTo(0.177, within(0.001));
    assertThat(figures.share("StoriesOfTheDay")).isCloseTo(0.173, within(0.001));
    assertThat(figures.share("ViewComment")).isCloseTo(0.136, within(0.001));
    assertThat(table.think(table.start())).isEqualTo(ThinkTime.RUBBOS);
    MixTest.assertWalkAgrees(table, 600_000);
  }

  @Test
  void thePublishedAuthorTableGivesTheKnownFigures() {
    Stationary figures = RubbosTransitions.read(published("author_default")).stationary();

    assertThat(figures.pagesPerSession()).isCloseTo(15.4, within(0.1));
    assertThat(figures.share(RubbosTransitions.WRITES)).isCloseTo(0.149, within(0.001));
  }

  @Test
  void thePublishedBrowsingTableGivesTheKnownFigures() {
    Stationary figures = RubbosTransitions.read(published("browse_only")).stationary();

    assertThat(figures.pagesPerSession()).isCloseTo(11.7, within(0.1));
    assertThat(figures.share(RubbosTransitions.WRITES)).isZero();
    assertThat(figures.share("ViewComment")).isCloseTo(0.279, within(0.001));
    assertThat(figures.share("ViewStory")).isCloseTo(0.267, within(0.001));
  }

  @Test
  void bothPublishedTablesMakeAMix() {
    Mix mix = Mix.read("rubbos:" + published("user_default") + "," + published("author_default"));

    assertThat(mix.authorShare()).isEqualTo(0.1);
    assertThat(mix.author()).isNotNull();
  }

  @Test
  void columnsAreWhereOneLeavesAndExcessIsCutOff(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("small.txt");
    Files.writeString(
        file,
        """
        "To
        From"\tA\tB\tWait\r
        StoriesOfTheDay\t0\t0.7\t7000\r
        View Story\t0.9\t0.5\t3000\r
        Back probability\t0\t0.2\t0\r
        End of Session\t0.1\t0.1\t0\r
        """);

    TransitionTable table = RubbosTransitions.read(file);

    assertThat(table.states()).containsExactly("StoriesOfTheDay", "ViewStory");
    assertThat(table.probability(0, 1)).isEqualTo(0.9);
    assertThat(table.probability(1, 0)).isEqualTo(0.7);
    assertThat(table.probability(1, 1)).isEqualTo(0.3, within(1e-9));
    assertThat(table.backProbability(1)).isEqualTo(0, within(1e-9));
    assertThat(table.think(1)).isEqualTo(ThinkTime.parse("exp(3s)"));
  }

  @Test
  void aFileOfAnotherKindIsRefusedWithItsNameAndRow(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("other.txt");
    Files.writeString(file, "hello\n");
    assertThatThrownBy(() -> RubbosTransitions.read(file))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("other.txt")
        .hasMessageContaining("missing");

    Files.writeString(
        file, "StoriesOfTheDay\tx\t7000\nBack probability\t0\t0\nEnd of Session\t1\t0\n");
    assertThatThrownBy(() -> RubbosTransitions.read(file))
        .hasMessageContaining("StoriesOfTheDay")
        .hasMessageContaining("'x'");
  }
}
