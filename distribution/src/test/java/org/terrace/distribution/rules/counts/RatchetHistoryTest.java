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
class RatchetHistoryTest {
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
  void noRatchetOfThisProjectRose() throws Exception {
    RatchetHistory.Before before = RatchetHistory.of(ROOT, FILE);
    Assumptions.assumeTrue(!before.texts().isEmpty(), before.reason());

    assertThat(Ratchets.raisedSince(before.texts(), ROOT.resolve(FILE))).isEmpty();
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
    commit("long-files=2");
    git("switch", "--quiet", "--create", "branch");
    commit("long-files=3");
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
  void whereThereIsNothingToCompareWithTheReasonIsTold() throws Exception {
    commit("long-files=1");
    assertThat(RatchetHistory.of(project, Path.of("other.properties")).reason())
        .contains("no commit that is here has other.properties");

    Path unpacked = Files.createDirectory(project.resolve("unpacked"));
    assertThat(RatchetHistory.of(unpacked, PLANTED).reason()).contains("is no git repository");
  }

  private List<String> raised() throws Exception {
    return Ratchets.raisedSince(
        RatchetHistory.of(project, PLANTED).texts(), project.resolve(PLANTED));
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
