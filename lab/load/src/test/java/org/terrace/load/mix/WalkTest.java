package org.terrace.load.mix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WalkTest {
  private static final int HOME = 0;
  private static final int STORY = 1;
  private static final int COMMENT = 2;

  /** Stories and comments have a way back; the home page has none. */
  private final TransitionTable table =
      new TransitionTable(
          List.of("Home", "Story", "Comment"),
          HOME,
          new double[][] {{0, 0.9, 0}, {0.2, 0, 0.4}, {0.1, 0, 0.4}},
          new double[] {0, 0.3, 0.4},
          new double[] {0.1, 0.1, 0.1},
          Map.of());

  private final Walk walk = new Walk(table);

  @Test
  void goingBackRetracesThePagesOneByOne() {
    walk.restart("/");
    walk.enter(new Walk.Page(STORY, "/story?1"));
    walk.enter(new Walk.Page(COMMENT, "/comment?2"));
    walk.enter(new Walk.Page(COMMENT, "/comment?3"));

    assertThat(walk.back()).isEqualTo(new Walk.Page(COMMENT, "/comment?2"));
    assertThat(walk.back()).isEqualTo(new Walk.Page(STORY, "/story?1"));
    assertThat(walk.back()).isEqualTo(new Walk.Page(HOME, "/"));
    assertThat(walk.back()).isNull();
    assertThat(walk.state()).isEqualTo(HOME);
  }

  @Test
  void aPageWithoutAWayBackForgetsThoseBefore() {
    walk.restart("/");
    walk.enter(new Walk.Page(STORY, "/story?1"));
    walk.enter(new Walk.Page(HOME, "/"));
    walk.enter(new Walk.Page(STORY, "/story?2"));

    assertThat(walk.back()).isEqualTo(new Walk.Page(HOME, "/"));
    assertThat(walk.back()).isNull();
  }

  @Test
  void ofTooManyPagesTheOldestIsForgotten() {
    walk.restart("/");
    for (int i = 0; i <= Walk.HISTORY_LIMIT; i++) {
      walk.enter(new Walk.Page(COMMENT, "/comment?" + i));
    }
    for (int i = 0; i < Walk.HISTORY_LIMIT; i++) {
      assertThat(walk.back()).isNotNull();
    }

    assertThat(walk.back()).isNull();
    assertThat(walk.state()).isEqualTo(COMMENT);
  }

  @Test
  void thisSmallTableIsSolvedAndWalkedAlike() {
    MixTest.assertWalkAgrees(table, 500_000);
  }
}
