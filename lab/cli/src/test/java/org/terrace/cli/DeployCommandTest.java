package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Manifests go to standard output or into files of their own, and options are checked. */
class DeployCommandTest {
  private static final String QUICKSTART =
      GuideBlock.ROOT.resolve("experiments/quickstart.yaml").toString();

  @TempDir Path directory;

  private final StringWriter errors = new StringWriter();
  private final StringWriter printed = new StringWriter();

  @Test
  void theFilesTogetherAreWhatIsPrinted() throws IOException {
    Path out = directory.resolve("manifests");

    assertThat(deploy(QUICKSTART)).isZero();
    assertThat(deploy(QUICKSTART, "--out", out.toString(), "--quiet")).isZero();

    try (Stream<Path> files = Files.list(out)) {
      List<String> texts =
          files
              .sorted()
              .map(file -> {
                try {
                  return Files.readString(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
              .toList();
      assertThat(String.join("---\n", texts)).isEqualTo(printed.toString());
      assertThat(texts).hasSizeGreaterThan(10);
    }
  }

  @Test
  void filesThatAreThereAreNotWrittenOver() throws IOException {
    Path out = directory.resolve("manifests");
    assertThat(deploy(QUICKSTART, "--out", out.toString(), "--quiet")).isZero();

    assertThat(deploy(QUICKSTART, "--out", out.toString(), "--namespace", "other")).isEqualTo(2);
    assertThat(errors.toString()).contains("is there already");
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files).allSatisfy(file -> assertThat(file).content().doesNotContain("other"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --namespace=Mine     | --namespace is 'Mine'
          --storage=2GB        | --storage is '2GB'
          --image=front=a:1    | --image is 'front=a:1'
          --image=app=         | --image is 'app='
          """)
  void aWrongOptionIsNamed(String option, String expected) {
    assertThat(deploy(QUICKSTART, option)).isEqualTo(2);
    assertThat(errors.toString()).contains(expected, "expected");
    assertThat(printed.toString()).isEmpty();
  }

  @Test
  void aMeshIsNotOneDeployment() {
    String mesh = GuideBlock.ROOT.resolve("experiments/small-mesh.yaml").toString();

    assertThat(deploy(mesh)).isEqualTo(2);
    assertThat(errors.toString()).contains("kind Mesh", "kind: Experiment");
  }

  private int deploy(String specification, String... options) {
    List<String> arguments =
        Stream.concat(
                Stream.of("deploy", specification, "--print", "kubernetes"), Stream.of(options))
            .toList();
    return Terrace.commandLine()
        .setErr(new PrintWriter(errors, true))
        .setOut(new PrintWriter(printed, true))
        .execute(arguments.toArray(String[]::new));
  }
}
