package org.terrace.distribution.rules.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sentences about modules whose classes are not those of their sources. */
public class HouseTest {
  @TempDir Path folder;

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
