package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.PlantedHouse;

class DecisionIndexTest {
  private static final String PAGES = "docs/" + "decisions/";

  @TempDir Path folder;

  @BeforeEach
  void plantTwoPages() throws IOException {
    page("0001-clock", "# 0001. One clock", "", "- Area: house", "- Status: holds");
    source("Clock", "/** Follows " + PAGES + "0001. */");
    page(
        "0002-ring",
        "# 0002. A ring",
        "",
        "- Area: capture",
        "- Status: holds",
        "- Followed by: `Clock`, `docs/guide.md`",
        "",
        "**Context.** A page may go on.");
    new PlantedHouse(folder).file("docs/guide.md", "guide");
    DecisionIndex.main(new String[] {folder.toString()});
  }

  @Test
  void theIndexTellsEachPageWithWhatFollowsIt() throws IOException {
    assertThat(DecisionIndex.read(folder).breaches()).isEmpty();
    assertThat(Files.readAllLines(folder.resolve("docs/decisions/README.md")))
        .contains(
            "## House",
            "| [0001](0001-clock.md) | One clock | holds |  | `Clock` |",
            "## Capture",
            "| [0002](0002-ring.md) | A ring | holds |  | `Clock`, `docs/guide.md` |");
  }

  @Test
  void anUnlistedPageIsNamed() throws IOException {
    page(
        "0003-new", "# 0003. New", "", "- Area: wire", "- Status: holds", "- Followed by: `Clock`");

    assertThat(DecisionIndex.read(folder).breaches())
        .containsExactly("docs/decisions/README.md is not what './build format' writes");
  }

  @Test
  void aPageThatNothingFollowsIsNamed() throws IOException {
    source("Clock", "/** Follows nothing. */");

    assertThat(DecisionIndex.read(folder).breaches())
        .contains("0001: neither cited nor does it say what follows it");
  }

  @Test
  void aFollowerThatIsGoneIsNamed() throws IOException {
    Files.delete(folder.resolve("core/Clock.java"));

    assertThat(DecisionIndex.read(folder).breaches())
        .contains("0002: nothing here is called 'Clock' (Followed by)");
  }

  @Test
  void bothPagesTellOfASuccession() throws IOException {
    page("0001-clock", "# 0001. One clock", "", "- Area: house", "- Status: superseded by 0002");

    assertThat(DecisionIndex.read(folder).breaches())
        .contains(
            "0002 does not say that it supersedes 0001",
            "0001 is superseded and still cited by [core/Clock.java]");

    page("0001-clock", "# 0001. One clock", "", "- Area: house", "- Status: superseded by 0009");
    assertThat(DecisionIndex.read(folder).breaches()).contains("0001: there is no 0009 (Status)");
  }

  @Test
  void aCitationOfNoPageIsNamed() throws IOException {
    source("Clock", "/** Follows " + PAGES + "0001 and " + PAGES + "0007. */");

    assertThat(DecisionIndex.read(folder).breaches())
        .contains("0007 is cited by [core/Clock.java] and does not exist");
  }

  @Test
  void aPageWithoutItsHeadIsRefused() throws IOException {
    page("0003-new", "# 3. New", "", "- Area: wire");
    assertThatThrownBy(() -> DecisionIndex.read(folder)).hasMessageContaining("# NNNN. Title");

    page("0003-new", "# 0003. New", "", "- Area: weather", "- Status: holds");
    assertThatThrownBy(() -> DecisionIndex.read(folder)).hasMessageContaining("weather");

    page("0003-new", "# 0003. New", "", "- Area: wire", "- Status: maybe");
    assertThatThrownBy(() -> DecisionIndex.read(folder)).hasMessageContaining("maybe");

    page("0003-new", "# 0004. New", "", "- Area: wire", "- Status: holds");
    assertThatThrownBy(() -> DecisionIndex.read(folder)).hasMessageContaining("another number");
  }

  private void page(String name, String... lines) throws IOException {
    new PlantedHouse(folder).file("docs/decisions/" + name + ".md", lines);
  }

  private void source(String name, String comment) throws IOException {
    new PlantedHouse(folder).file("core/" + name + ".java", comment, "class " + name + " {}");
  }
}
