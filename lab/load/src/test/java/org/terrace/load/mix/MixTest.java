package org.terrace.load.mix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.testing.Seeds;

class MixTest {
  private static final int STEPS = 2_000_000;

  private final Mix readWrite = Mix.read(Mix.READ_WRITE);
  private final Mix browseOnly = Mix.read(Mix.BROWSE_ONLY);

  @Test
  void readWriteUsersMeetThePublishedFigures() {
    Stationary user = readWrite.user().stationary();

    assertThat(user.share(readWrite.writes())).isCloseTo(0.119, within(0.0005));
    assertThat(user.pagesPerSession()).isCloseTo(14.0, within(0.05));
    assertThat(user.share("ViewStory")).isCloseTo(0.177, within(0.0005));
    assertThat(user.share("StoriesOfTheDay")).isCloseTo(0.173, within(0.0005));
    assertThat(user.share("ViewComment")).isCloseTo(0.136, within(0.0005));
  }

  @Test
  void readWriteAuthorsMeetThePublishedFigures() {
    Stationary author = Objects.requireNonNull(readWrite.author()).stationary();

    assertThat(author.share(readWrite.writes())).isCloseTo(0.149, within(0.0005));
    assertThat(author.pagesPerSession()).isCloseTo(15.4, within(0.05));
    assertThat(readWrite.authorShare()).isEqualTo(0.1);
  }

  @Test
  void browseOnlyMeetsThePublishedFigures() {
    Stationary user = browseOnly.user().stationary();

    assertThat(user.pagesPerSession()).isCloseTo(11.7, within(0.05));
    assertThat(user.share("ViewComment")).isCloseTo(0.279, within(0.0005));
    assertThat(user.share("ViewStory")).isCloseTo(0.267, within(0.0005));
    assertThat(user.share(readWrite.writes())).isZero();
    assertThat(browseOnly.writes()).isEmpty();
    assertThat(browseOnly.author()).isNull();
  }

  @Test
  void longWalksAgreeWithTheExactSolution() {
    for (TransitionTable table :
        new TransitionTable[] {
          readWrite.user(), Objects.requireNonNull(readWrite.author()), browseOnly.user()
        }) {
      assertWalkAgrees(table, STEPS);
    }
  }

  /** Walks the table and compares; sessions are independent, so that the error is known. */
  static void assertWalkAgrees(TransitionTable table, int steps) {
    RandomGenerator random = Seeds.generator(Seeds.next("MixTest"));
    long[] seen = new long[table.states().size()];
    long sessions = 0;
    Walk walk = new Walk(table);
    walk.restart("/");
    for (int step = 0; step < steps; step++) {
      seen[walk.state()]++;
      int move = walk.draw(random);
      switch (move) {
        case TransitionTable.END -> {
          sessions++;
          walk.restart("/");
        }
        case TransitionTable.BACK -> assertThat(walk.back()).isNotNull();
        default -> walk.enter(new Walk.Page(move, null));
      }
    }
    Stationary exact = table.stationary();
    double tolerance = 5 * 10 / Math.sqrt(steps); // five standard errors of a clustered share
    assertThat(steps / (double) sessions)
        .isCloseTo(exact.pagesPerSession(), within(exact.pagesPerSession() * tolerance));
    for (int state = 0; state < seen.length; state++) {
      assertThat(seen[state] / (double) steps)
          .as(table.states().get(state))
          .isCloseTo(exact.share(table.states().get(state)), within(tolerance / 5));
    }
  }

  @Test
  void aWrongFigureIsNamed() {
    String yaml =
        """
        format: terrace-mix/1
        name: mine
        writes: []
        user:
          start: Home
          next:
            Home: {List: 0.5, end: 0.6}
            List: {Home: 1.0}
        """;

    assertThatThrownBy(() -> MixReader.parse("mine.yaml", yaml))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("mine.yaml")
        .hasMessageContaining("state Home")
        .hasMessageContaining("1.1");
    assertThatThrownBy(() -> MixReader.parse("mine.yaml", yaml.replace("{List: 0.5", "{Lost: 0.5")))
        .hasMessageContaining("user.next.Home")
        .hasMessageContaining("Lost");
    assertThatThrownBy(() -> MixReader.parse("mine.yaml", yaml.replace("end: 0.6", "back: 0.5")))
        .hasMessageContaining("Home has a way back");
    assertThatThrownBy(() -> MixReader.parse("mine.yaml", yaml.replace("0.5, end: 0.6", "1.0")))
        .hasMessageContaining("never leads to the end");
    assertThatThrownBy(() -> Mix.read("no-such-mix"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("no-such-mix");
  }

  @Test
  void thinkTimesOfStatesAreRead() {
    Mix mix =
        MixReader.parse(
            "mine.yaml",
            """
            format: terrace-mix/1
            name: mine
            writes: []
            user:
              start: Home
              think: {List: const(2s)}
              next:
                Home: {List: 0.5, end: 0.5}
                List: {Home: 1.0}
            """);

    assertThat(mix.user().think(0)).isNull();
    assertThat(mix.user().think(1)).isEqualTo(ThinkTime.parse("const(2s)"));
  }
}
