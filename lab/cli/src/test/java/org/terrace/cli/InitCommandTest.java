package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.specification.SpecificationTemplate;

/** A specification to begin with is written once, and is what the next command takes. */
class InitCommandTest {
  @TempDir Path directory;

  private final StringWriter errors = new StringWriter();
  private final StringWriter printed = new StringWriter();

  /** A mesh needs the distribution, whose tests have its dry run. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MESH")
  void whatItWritesIsUnderstoodByADryRun(SpecificationTemplate kind) {
    Path file = directory.resolve("new/" + kind.fileName());

    assertThat(execute("init", file.toString(), "--quiet", "--kind", word(kind))).isZero();
    assertThat(file).hasContent(kind.text());
    assertThat(execute("run", file.toString(), "--dry-run", "--quiet"))
        .as(errors::toString)
        .isZero();
    assertThat(directory.resolve("new")).isDirectoryContaining(path -> path.equals(file));
  }

  @Test
  void aFileThatIsThereStaysAsItIs() throws IOException {
    Path file = Files.writeString(directory.resolve("experiment.yaml"), "mine");

    assertThat(execute("init", file.toString())).isEqualTo(2);
    assertThat(file).hasContent("mine");
    assertThat(errors.toString()).contains(file.toString(), "is there already", "another file");
    assertThat(directory).isDirectoryNotContaining(path -> path.toString().endsWith(".new"));
  }

  @Test
  void aLinkThatLeadsNowhereIsNotFollowed() throws IOException {
    Path target = directory.resolve("elsewhere.yaml");
    Path link = Files.createSymbolicLink(directory.resolve("link.yaml"), target);

    assertThat(execute("init", link.toString())).isEqualTo(2);
    assertThat(target).doesNotExist();
  }

  @Test
  void aFolderThatIsAFileIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThat(execute("init", file.resolve("experiment.yaml").toString())).isEqualTo(2);
    assertThat(errors.toString()).contains("experiment.yaml cannot be written");
  }

  private int execute(String... arguments) {
    return Terrace.commandLine()
        .setErr(new PrintWriter(errors, true))
        .setOut(new PrintWriter(printed, true))
        .execute(arguments);
  }

  private static String word(SpecificationTemplate kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
