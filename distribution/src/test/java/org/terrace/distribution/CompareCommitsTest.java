package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.ChildProcess;

/**
 * The script {@code tools/compare-commits} in a repository of its own, as far as it comes without a
 * build: what it was called with, and what the commits hold. {@code ComparisonTest} of the
 * microbenchmarks has the half that judges scores.
 */
@Tag("real-processes")
@Tag("untimed")
class CompareCommitsTest {
  private static final int BAD_ARGUMENTS = 2;
  private static final String USAGE =
      "usage: tools/compare-commits OLD NEW [PATTERN] [--quick] [--pairs N]";

  @TempDir private Path project;

  private record Ended(int status, String said) {}

  /** A repository whose first commit has no benchmarks, and whose second has. */
  @BeforeEach
  void makeTwoCommits() throws Exception {
    Path tools = Files.createDirectory(project.resolve("tools"));
    Files.copy(
        SourceTree.root().resolve("tools/compare-commits"), tools.resolve("compare-commits"));
    git("init", "--quiet", "--initial-branch", "main");
    git("add", ".");
    commit("first");
    Files.createDirectory(project.resolve("microbenchmarks"));
    Files.writeString(project.resolve("microbenchmarks/pom.xml"), "<project/>");
    git("add", ".");
    commit("second");
  }

  private void commit(String message) throws Exception {
    git(
        "-c",
        "user.name=nobody",
        "-c",
        "user.email=nobody@localhost",
        "commit",
        "--quiet",
        "--message",
        message);
  }

  private void git(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    Ended ended = end(command);
    assertThat(ended.status()).as(ended.said()).isZero();
  }

  private Ended compare(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "tools/compare-commits"));
    command.addAll(List.of(arguments));
    return end(command);
  }

  private Ended end(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(project, "said", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    int status = ChildProcess.start(builder).process().waitFor();
    return new Ended(status, Files.readString(output).strip());
  }

  @Test
  void whatIsNotUnderstoodIsAnsweredByTheUsage() throws Exception {
    Ended usage = new Ended(BAD_ARGUMENTS, USAGE);

    assertThat(compare()).isEqualTo(usage);
    assertThat(compare("HEAD")).isEqualTo(usage);
    assertThat(compare("HEAD", "HEAD", "Codec", "more")).isEqualTo(usage);
    assertThat(compare("HEAD", "HEAD", "--fast")).isEqualTo(usage);
    assertThat(compare("HEAD", "HEAD", "--pairs")).isEqualTo(usage);
  }

  @Test
  void aNumberOfPairsThatGivesNoIntervalIsRefused() throws Exception {
    for (String number : List.of("1", "0", "x", "2x", "")) {
      assertThat(compare("HEAD", "HEAD", "--pairs", number))
          .isEqualTo(
              new Ended(
                  BAD_ARGUMENTS, "--pairs takes a number of 2 or more, got '" + number + "'"));
    }
  }

  @Test
  void aCommitThatIsNotThereOrHasNoBenchmarksIsNamedBeforeAnythingIsBuilt() throws Exception {
    assertThat(compare("nowhere", "HEAD", "--quick"))
        .isEqualTo(
            new Ended(
                BAD_ARGUMENTS, "git knows no commit 'nowhere': give a hash, a branch or a tag"));
    assertThat(compare("HEAD~1", "HEAD", "Codec", "--pairs", "2"))
        .isEqualTo(
            new Ended(
                BAD_ARGUMENTS,
                "the commit 'HEAD~1' has no module microbenchmarks: choose a later one"));
    assertThat(end(List.of("git", "worktree", "list")).said().lines()).hasSize(1);
  }
}
