package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WingsTest {
  @TempDir Path folder;

  private List<String> breaches(String... rows) throws IOException {
    Path readme = folder.resolve("README.md");
    Files.writeString(readme, Wings.HEADING + "\n|---|---|\n" + String.join("\n", rows) + "\n");
    House house = new PlantedHouse(folder).module("core").module("lab/apps/board").build();
    return Wings.breachesOf(house, readme);
  }

  @Test
  void aTableThatNamesAllHolds() throws IOException {
    assertThat(breaches("| `lab` proves | `board` |", "| beside them | `core`, `examples` |"))
        .isEmpty();
  }

  @Test
  void whatIsMissingOrNotBuiltIsNamed() throws IOException {
    assertThat(breaches("| `lab` proves | `core`, `gone` |", "| beside them | `core` |"))
        .containsExactly(
            "lab: board is not in the README's table of wings",
            "lab: core is in the README's table of wings and not built",
            "lab: gone is in the README's table of wings and not built");
  }

  @Test
  void aModuleWithoutItsClassesIsNamed() throws IOException {
    new PlantedHouse(folder)
        .module("core")
        .file("core/src/main/java/a/A.java", "package a; class A {}")
        .build();
    try (var classes = Files.walk(folder.resolve("core"))) {
      for (Path file : classes.filter(each -> each.toString().endsWith(".class")).toList()) {
        Files.delete(file);
      }
    }

    assertThat(House.read(folder).notCompiled())
        .containsExactly(
            "core has 1 sources newer than their classes, core/src/main/java/a/A.java first: build"
                + " all modules first (./build, or ./mvnw test-compile at the root)");
  }

  @Test
  void aModuleThatWasChangedSinceItWasCompiledIsNamed() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core")
            .file("core/src/main/java/a/A.java", "package a; class A {}")
            .build();
    assertThat(house.notCompiled()).isEmpty();

    Path source = folder.resolve("core/src/main/java/a/A.java");
    FileTime compiled = Files.getLastModifiedTime(folder.resolve("core/target/classes/a/A.class"));
    Files.setLastModifiedTime(source, FileTime.from(compiled.toInstant().plusSeconds(1)));
    assertThat(House.read(folder).notCompiled()).singleElement().asString().contains("A.java");
  }
}
