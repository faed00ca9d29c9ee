package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.testing.AccessibilityCheck;
import org.terrace.testing.Depth;
import org.terrace.testing.HeadlessChromium;

/** The pages of the board as axe-core judges them, in both themes, wide and narrow. */
@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class PageAccessibilityTest {
  private static final List<String> PAGES =
      List.of(
          "/",
          "/view-story?story=700",
          "/older-stories",
          "/browse-categories",
          "/search",
          "/search-in-users?search=user",
          "/register",
          "/submit-story",
          "/author-login",
          "/nowhere");

  private static @Nullable HeadlessChromium chromium;

  @BeforeAll
  static void openBrowser() throws IOException {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    chromium = HeadlessChromium.start(900, 900);
  }

  @AfterAll
  static void closeBrowser() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @Test
  void nothingKeepsPeopleOut(RunningBoard board) {
    for (String path : PAGES.subList(0, Depth.of(PAGES.size(), 2))) {
      URI page = URI.create(board.url() + path);

      assertThat(AccessibilityCheck.violationsEverywhere(chromium, () -> chromium.open(page)))
          .as(path)
          .isEmpty();
    }
  }
}
