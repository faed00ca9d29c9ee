package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dependencies that the guides give to be copied: they are there, in this version. */
class GuideDependenciesTest {
  private static final Path GUIDES = SourceTree.root().resolve("docs/guide");
  private static final String BOM = "terrace-bom";

  private static final Pattern MAVEN =
      Pattern.compile("<artifactId>(terrace-[a-z-]+)</artifactId>");
  private static final Pattern GRADLE = Pattern.compile("\"org\\.terrace:(terrace-[a-z-]+)");
  private static final Pattern VERSION =
      Pattern.compile("(?:<version>|terrace-bom:)([^<\"]+)(?:</version>|\")");

  /** A row of the table of libraries: the artefacts, and the page that explains them. */
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| [^|]+ \\| (`terrace-[^|]+) \\| \\[[^]]+]\\(([a-z-]+\\.md)[^|]* \\|$");

  private static final int FEWEST_LIBRARIES = 8;

  static List<Path> guides() throws IOException {
    try (Stream<Path> all = Files.list(GUIDES)) {
      return all.filter(page -> page.toString().endsWith(".md")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("guides")
  void mavenAndGradleNameTheSameLibrariesAndTheyAreThere(Path guide) {
    String text = text(guide);

    assertThat(names(GRADLE, text)).isEqualTo(names(MAVEN, text));
    assertThat(names(MAVEN, text))
        .isSubsetOf(
            Stream.concat(
                    Stream.of(BOM),
                    names(MAVEN, text(SourceTree.root().resolve("bom/pom.xml"))).stream())
                .toList());
  }

  @Test
  void theVersionIsThisOne() {
    String pom = text(SourceTree.root().resolve("bom/pom.xml"));
    String version =
        Pattern.compile("<artifactId>terrace-bom</artifactId>\\s*<version>([^<]+)<")
            .matcher(pom)
            .results()
            .map(match -> match.group(1))
            .findFirst()
            .orElseThrow();

    assertThat(names(VERSION, text(GUIDES.resolve("libraries.md"))))
        .hasSize(2)
        .containsOnly(version);
  }

  @Test
  void everyLibraryOfTheTableStandsInItsGuideToBeCopied() {
    List<MatchResult> rows = ROW.matcher(text(GUIDES.resolve("libraries.md"))).results().toList();
    assertThat(rows).hasSizeGreaterThanOrEqualTo(FEWEST_LIBRARIES);
    for (MatchResult row : rows) {
      List<String> libraries =
          Pattern.compile("terrace-[a-z-]+")
              .matcher(row.group(1))
              .results()
              .map(MatchResult::group)
              .toList();

      assertThat(names(MAVEN, text(GUIDES.resolve(row.group(2)))))
          .as(row.group(2))
          .containsAll(libraries);
    }
  }

  private static List<String> names(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
