package org.terrace.distribution.rules.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class DocumentLinksTest {
  @TempDir Path folder;

  private List<String> breaches(String... lines) throws IOException {
    Files.createDirectories(folder.resolve("docs/target"));
    Files.writeString(folder.resolve("docs/target/made.md"), "[made](nowhere.md)");
    Files.writeString(folder.resolve("docs/picture.png"), "");
    Files.writeString(
        folder.resolve("docs/guide.md"),
        "# N\\* and `terrace plan`\n\n```\n# a comment\n```\n## Twice\n## Twice\n[up](../README.md)\n");
    Files.writeString(folder.resolve("README.md"), String.join("\n", lines));
    return DocumentLinks.read(folder).breaches();
  }

  @Test
  void linksToWhatIsThereHold() throws IOException {
    assertThat(
            breaches(
                "# Terrace",
                "[all](docs) [a guide](docs/guide.md) [here](#terrace)",
                "[first](docs/guide.md#n-and-terrace-plan), [again](docs/guide.md#twice-1)",
                "<img src=\"docs/picture.png\"> [elsewhere](https://example.org/gone)",
                "`[code](gone.md)`",
                "```",
                "[code](gone.md)",
                "```"))
        .isEmpty();
    assertThat(DocumentLinks.read(folder).links()).isEqualTo(7);
  }

  @Test
  void linksToWhatIsNotThereAreNamed() throws IOException {
    assertThat(
            breaches(
                "[a guide](docs/gone.md)",
                "[a heading](docs/guide.md#a-comment) [and](docs/guide.md#twice-2)",
                "<source srcset=\"docs/dark.png\">",
                "[here](#gone)"))
        .containsExactly(
            "README.md links to docs/gone.md, which is not there",
            "README.md links to docs/guide.md#a-comment, which is no heading of guide.md",
            "README.md links to docs/guide.md#twice-2, which is no heading of guide.md",
            "README.md links to docs/dark.png, which is not there",
            "README.md links to #gone, which is no heading of README.md");
  }
}
