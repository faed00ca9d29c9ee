package org.terrace.distribution.rules.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.PlantedHouse;

/** Numbers that rise by another name, planted. */
public class RatchetNamesTest {
  @TempDir Path folder;

  @Test
  void aNameThatIsReplacedWithoutAWordIsNamedTwice() throws IOException {
    assertThat(breaches(before("long-tests=105", "long-tests=104"), "tests-left-out=199"))
        .containsExactly(
            "tests-left-out is new: tests-left-out.succeeds=NAME tells whose limit it keeps,"
                + " tests-left-out.began=NNNN the decision that counts it first",
            "long-tests is gone: NAME.succeeds=long-tests tells what keeps its limit of 104,"
                + " long-tests.ended=NNNN the decision that counts it no more");
  }

  @Test
  void aSuccessorKeepsTheLimitOfAllBeforeIt() throws IOException {
    RatchetNames.Before before = before("a=3\nd=9", "b=2\nb.succeeds=a\nd=9");

    assertThat(breaches(before, "c=2\nc.succeeds=b, d\nb.succeeds=a")).isEmpty();
    assertThat(breaches(before, "c=4\nc.succeeds=b,d\nb.succeeds=a"))
        .containsExactly(
            "c may only fall, and rose from 3 of a to 4",
            "c may only fall, and rose from 2 of b to 4");
    assertThat(breaches(before, "c=2\nc.succeeds=b,d"))
        .as("the chain is kept")
        .singleElement()
        .asString()
        .startsWith("a is gone");
  }

  @Test
  void aSuccessorMayHaveBeenThereBefore() throws IOException {
    assertThat(breaches(before("a=0\nb=0"), "b=0\nb.succeeds=a")).isEmpty();
    assertThat(breaches(before("a=0\nb=4"), "b=4\nb.succeeds=a"))
        .containsExactly("b may only fall, and rose from 0 of a to 4");
  }

  @Test
  void aPredecessorThatNeverWasIsNoLimit() throws IOException {
    assertThat(breaches(before("a=1"), "a=1\nc=7\nc.succeeds=b"))
        .containsExactly("c succeeds b, which was never counted");
  }

  @Test
  void aBeginningAndAnEndNeedADecisionThatNamesThem() throws IOException {
    RatchetNames.Before before = before("a=1");
    assertThat(breaches(before, "b=7\nb.began=0003\na.ended=0004"))
        .containsExactly(
            "b: 0003 is no decision that names it", "a: 0004 is no decision that names it");

    new PlantedHouse(folder).file("pages/0003-counts.md", "Now `b` is counted.");
    assertThat(breaches(before, "b=7\nb.began=0003\na.ended=0004"))
        .containsExactly("a: 0004 is no decision that names it");

    new PlantedHouse(folder).file("pages/0004-counts.md", "Nobody counts `a` any more.");
    assertThat(breaches(before, "b=7\nb.began=0003\na.ended=0004")).isEmpty();
    assertThat(breaches(before, "b=7\nb.began=*\na.ended=0004"))
        .containsExactly("b: * is no decision that names it");
  }

  /** A name that comes with the decision by which another goes is that one, and higher. */
  @Test
  void aDecisionThatEndsANumberBeginsNone() throws IOException {
    new PlantedHouse(folder).file("pages/0003-counts.md", "`b` is counted, and `a` no more.");

    assertThat(breaches(before("a=1"), "b=7\nb.began=0003\na.ended=0003"))
        .containsExactly("b begins with the decision that ends a: b.succeeds=a, or two decisions");
    assertThat(breaches(before("a=7"), "b=7\nb.succeeds=a")).isEmpty();
  }

  @Test
  void aNameThatEndsAtNothingNeedsADecisionToo() throws IOException {
    assertThat(breaches(before("a=0", "a=0\nb=0\nb.began=0003"), "b=0\nb.succeeds=a")).isEmpty();
    assertThat(breaches(before("a=0"), ""))
        .singleElement()
        .asString()
        .startsWith("a is gone: NAME.succeeds=a tells what keeps its limit of 0");
  }

  @Test
  void aLineThatTellsNothingIsNamed() throws IOException {
    assertThat(breaches(before("a=1"), "a=1\na.follows=b"))
        .containsExactly("a.follows is neither a number nor one of [began, ended, succeeds]");
  }

  private static RatchetNames.Before before(String... texts) {
    return RatchetNames.Before.inARow(texts);
  }

  private List<String> breaches(RatchetNames.Before before, String is) throws IOException {
    new PlantedHouse(folder).file("ratchets.properties", is);
    return RatchetNames.breachesOf(
        before, folder.resolve("ratchets.properties"), folder.resolve("pages"));
  }
}
