package org.terrace.distribution.rules.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ratchets beside what was committed before, in this project and in small ones. */
@Tag("real-processes")
@Tag("untimed")
public class RatchetHistoryTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Path FILE = Path.of("distribution/src/test/resources/ratchets.properties");
  private static final Path PLANTED = Path.of("ratchets.properties");

  @TempDir Path project;

  @BeforeEach
  void gitIsThere() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/git")), "git is not installed (Debian: git)");
  }

  @Test
  void noRatchetOfThisProjectRoseByAnyName() throws Exception {
    RatchetNames.Before before = RatchetHistory.of(ROOT, FILE);
    Assumptions.assumeTrue(!before.texts().isEmpty(), before.reason());

    assertThat(RatchetNames.breachesOf(before, ROOT.resolve(FILE), ROOT.resolve("docs/decisions")))
        .isEmpty();
    assertThat(before.first()).as("of its beginning").isNotEmpty();
  }

  @Test
  void aRatchetRaisedOnTheMainBranchIsFoundWhetherCommittedOrNot() throws Exception {
    commit("long-files=1");
    commit("long-files=2");

    assertThat(raised()).containsExactly("long-files may only fall, and rose from 1 to 2");

    commit("long-files=2");
    assertThat(raised()).as("though others were committed since").hasSize(1);

    commit("long-files=0");
    assertThat(raised()).isEmpty();
  }

  @Test
  void aRatchetThatRoseAndFellInPartIsFound() throws Exception {
    commit("long-files=2");
    commit("long-files=5");
    commit("long-files=3");

    assertThat(raised()).containsExactly("long-files may only fall, and rose from 2 to 3");
  }

  @Test
  void aRatchetRaisedByAMergedBranchIsFound() throws Exception {
    commit("long-files=2\nlong-methods=2");
    git("switch", "--quiet", "--create", "branch");
    commit("long-files=3\nlong-methods=2");
    git("switch", "--quiet", "main");
    commit("long-files=2\nlong-methods=1");
    git("merge", "--quiet", "--strategy=ours", "--no-edit", "branch");
    Files.writeString(project.resolve(PLANTED), "long-files=3\nlong-methods=1");

    assertThat(raised()).containsExactly("long-files may only fall, and rose from 2 to 3");
  }

  @Test
  void aRatchetRaisedOnABranchIsFoundHoweverManyCommitsAgo() throws Exception {
    commit("long-files=2");
    git("switch", "--quiet", "--create", "branch");
    commit("long-files=3");
    commit("long-files=3");

    assertThat(raised()).containsExactly("long-files may only fall, and rose from 2 to 3");

    commit("long-files=1");
    assertThat(raised()).isEmpty();
  }

  @Test
  void aNameThatCameBesideOthersIsNewAndRemainsSo() throws Exception {
    commit("long-files=2");
    commit("tall-files=5");
    commit("tall-files=5");
    Files.writeString(project.resolve(PLANTED), "tall-files=5\nlong-methods=1");

    assertThat(raised())
        .hasSize(3)
        .anyMatch(breach -> breach.startsWith("long-methods is new"))
        .anyMatch(breach -> breach.startsWith("tall-files is new"))
        .anyMatch(breach -> breach.startsWith("long-files is gone"));

    commit("tall-files=3\ntall-files.succeeds=long-files");
    assertThat(raised())
        .containsExactly("tall-files may only fall, and rose from 2 of long-files to 3");

    commit("tall-files=2\ntall-files.succeeds=long-files");
    assertThat(raised()).isEmpty();
  }

  @Test
  void whereAShallowCloneEndsWhatIsThereIsTheFirst() throws Exception {
    commit("long-files=2");
    commit("tall-files=2\ntall-files.succeeds=long-files");
    commit("tall-files=1\ntall-files.succeeds=long-files");
    Path origin = project;
    project = Files.createDirectory(origin.resolve("shallow"));
    git("clone", "--quiet", "--depth", "1", "file://" + origin, ".");
    assertThat(raised()).isEmpty();

    commit("tall-files=2\ntall-files.succeeds=long-files\nlong-methods=0");
    assertThat(raised())
        .hasSize(2)
        .contains("tall-files may only fall, and rose from 1 to 2")
        .anyMatch(breach -> breach.startsWith("long-methods is new"));
  }

  @Test
  void whereThereIsNothingToCompareWithTheReasonIsTold() throws Exception {
    commit("long-files=1");
    assertThat(RatchetHistory.of(project, Path.of("other.properties")).reason())
        .contains("no commit that is here has other.properties");

    Path unpacked = Files.createDirectory(project.resolve("unpacked"));
    assertThat(RatchetHistory.of(unpacked, PLANTED).reason()).contains("is no git repository");
  }

  private List<String> raised() throws Exception {
    return RatchetNames.breachesOf(
        RatchetHistory.of(project, PLANTED), project.resolve(PLANTED), project);
  }

  private void commit(String ratchets) throws Exception {
    if (!Files.exists(project.resolve(".git"))) {
      git("init", "--quiet", "--initial-branch=main");
    }
    Files.writeString(project.resolve(PLANTED), ratchets);
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", ratchets);
  }

  private void git(String... words) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-C", project.toString(), "-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    assertThat(builder.start().waitFor()).as(String.join(" ", command)).isZero();
  }
}
