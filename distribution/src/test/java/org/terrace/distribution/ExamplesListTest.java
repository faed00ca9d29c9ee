package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every example that is a project is among those that {@code ExamplesTest} builds. */
class ExamplesListTest {
  private static final Path TEST =
      Path.of("distribution/src/test/java/org/terrace/distribution/ExamplesTest.java");

  @TempDir private Path folder;

  @Test
  void everyExampleThatIsAProjectIsBuilt() throws IOException {
    Path examples = SourceTree.root().resolve("examples");
    String test = Files.readString(SourceTree.root().resolve(TEST));

    assertThat(projects(examples)).hasSizeGreaterThan(2);
    assertThat(notBuilt(examples, test)).isEmpty();
  }

  @Test
  void anExampleThatIsNotBuiltIsNamed() throws IOException {
    for (String name : List.of("shop", "till")) {
      Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("pom.xml"), "");
    }
    Files.createDirectory(folder.resolve("captures"));

    assertThat(notBuilt(folder, "Arguments.of(\"shop\", \"shop.ShopTest\", 2)"))
        .containsExactly("till");
  }

  private static List<String> notBuilt(Path examples, String test) throws IOException {
    return projects(examples).stream()
        .filter(name -> !test.contains("of(\"" + name + "\", "))
        .toList();
  }

  private static List<String> projects(Path examples) throws IOException {
    try (Stream<Path> folders = Files.list(examples)) {
      return folders
          .filter(example -> Files.exists(example.resolve("pom.xml")))
          .map(example -> example.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}
