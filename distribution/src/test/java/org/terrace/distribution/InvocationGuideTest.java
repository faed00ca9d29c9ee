package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.ChildProcess;

/** The commands that a guide tells its readers to type, as they stand there. */
@Tag("real-processes")
@Tag("untimed")
class InvocationGuideTest {
  private static final Path ROOT = SourceTree.root();
  private static final Path LIBRARIES = ROOT.resolve("distribution/target/terrace/apps/seven");
  private static final Pattern JAVA = Pattern.compile("(?m)^java -cp (?:.*\\\\\\n)*.*$");
  private static final String READERS = "127.0.0.1:";
  private static final String OWN = "127.63.6.1:";

  @TempDir Path directory;

  @BeforeAll
  static void requireDistribution() {
    Assumptions.assumeTrue(
        Files.isDirectory(LIBRARIES),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  @Test
  void namingAndManagerStartAsTheGuideSays() throws Exception {
    List<String> commands = commands("docs/guide/fail-over-and-exactly-once.md");
    assertThat(commands).hasSize(2);
    try (ChildProcess naming = start(commands.getFirst());
        ChildProcess manager = start(commands.getLast())) {
      assertThat(naming.awaitReady()).contains("naming");
      assertThat(manager.awaitReady()).contains("manager", "admin");
    }
  }

  private static List<String> commands(String guide) throws IOException {
    return JAVA.matcher(Files.readString(ROOT.resolve(guide)))
        .results()
        .map(MatchResult::group)
        .toList();
  }

  /** Starts a command at an address of the test's own, with its files in the test's directory. */
  private ChildProcess start(String command) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    String here =
        command
            .replace(READERS, OWN)
            .replace("$NAMES", OWN + "7401")
            .replace("--directory ", "--directory " + directory + "/")
            .replace("distribution/target", ROOT.resolve("distribution/target").toString());
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec " + here);
    builder.environment().merge("PATH", java, (old, first) -> first + ":" + old);
    return ChildProcess.start(builder.redirectError(directory.resolve("errors.log").toFile()));
  }
}
