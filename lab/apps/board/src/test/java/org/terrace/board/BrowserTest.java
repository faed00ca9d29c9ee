package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.testing.HeadlessChromium;

/** A person's way through the board in a real browser, by mouse and keyboard. */
@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class BrowserTest {
  /** A directory in which the pictures are kept for a look at them; none are kept without it. */
  private static final String PICTURES = System.getProperty("terrace.board.pictures", "");

  private static @Nullable BoardBrowser browser;

  @BeforeAll
  static void startBrowser() throws Exception {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    browser = BoardBrowser.start();
  }

  @AfterAll
  static void endBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void aReaderCommentsAndSeesTheAnswerNestedAndModerates(RunningBoard board) throws Exception {
    browser.open(board.url());
    browser.clickThrough(".stories li:nth-child(2) h2 a");
    assertThat(browser.state()).isEqualTo("ViewStory");
    final String title = browser.text("h1");

    browser.clickThrough(".thread h3 a");
    final String thread = browser.text("h1");
    browser.clickThrough(".acts [data-page=PostComment]");
    browser.type("[name=subject]", "What I <b>think</b> & say");
    browser.type("[name=body]", "First paragraph.\nSecond \"paragraph\".");
    browser.type("[name=nickname]", "user20");
    browser.type("[name=password]", "password20");
    keep("comment-form");
    browser.clickThrough("form button");
    assertThat(browser.state()).isEqualTo("StoreComment");

    browser.clickThrough(".done [data-page=ViewComment]");
    assertThat(browser.text("h1")).isEqualTo("What I <b>think</b> & say");
    assertThat(browser.text(".thread .prose p:nth-child(2)")).isEqualTo("Second \"paragraph\".");
    String id = browser.read("document.querySelector('.thread > li').id");
    browser.clickThrough("main > .by a");
    assertThat(browser.text("h1")).isEqualTo(title);
    String above =
        "document.getElementById('" + id + "').parentElement.closest('li').querySelector('h3')";
    assertThat(browser.read(above + ".innerText")).isEqualTo(thread);
    String indent =
        "document.getElementById('"
            + id
            + "').getBoundingClientRect().x - "
            + above
            + ".getBoundingClientRect().x";
    assertThat(Double.parseDouble(browser.read(indent))).as("nested, in pixels").isPositive();

    browser.clickThrough("#" + id + " [data-page=ModerateComment]");
    browser.click("input[type=radio][value='1']");
    keep("moderate");
    browser.clickThrough("form button");
    assertThat(browser.state()).isEqualTo("StoreModerateLog");
    assertThat(browser.text("[data-rating]")).isEqualTo("1");
  }

  @Test
  void anAuthorSignsInAndAcceptsAStory(RunningBoard board) throws Exception {
    browser.open(board.url() + "/author-login");
    browser.type("[name=nickname]", "author11");
    browser.type("[name=password]", "password11");
    browser.clickThrough("form button");
    assertThat(browser.state()).isEqualTo("AuthorTask");
    browser.clickThrough("[data-page=ReviewStories]");
    keep("review");
    String title = browser.text(".submissions h2");
    browser.clickThrough("form[data-page=AcceptStory] button");
    browser.clickThrough(".done [data-page=ViewStory]");
    assertThat(browser.text("h1")).isEqualTo(title);
    browser.clickThrough("header [data-page=AuthorLogin]");
    browser.clickThrough("form.leave button");
    assertThat(browser.read("document.querySelector('.who')")).isEqualTo("null");
  }

  @Test
  void noPageIsWiderThanANarrowScreen(RunningBoard board) throws Exception {
    browser.narrowAndDark();
    try {
      for (String path :
          new String[] {
            "/",
            "/view-story?story=700",
            "/older-stories",
            "/browse-categories",
            "/search-in-users?search=user",
            "/submit-story",
            "/nowhere"
          }) {
        browser.open(board.url() + path);
        String overflow = "document.documentElement.scrollWidth - window.innerWidth";
        assertThat(Integer.parseInt(browser.read(overflow))).as(path).isLessThanOrEqualTo(0);
        keep("narrow" + path.replaceAll("\\W+", "-"));
      }
    } finally {
      browser.wideAndLight();
    }
  }

  private static void keep(String name) throws Exception {
    if (!PICTURES.isEmpty()) {
      Files.write(
          Files.createDirectories(Path.of(PICTURES)).resolve(name + ".png"), browser.picture());
    }
  }
}
