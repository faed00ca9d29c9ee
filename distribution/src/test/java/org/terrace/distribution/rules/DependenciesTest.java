package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

class DependenciesTest {
  private static final String LIBRARY = "org.far:far:1.0";

  @TempDir Path folder;
  @TempDir Path repository;

  @BeforeEach
  void layALibrary() throws IOException {
    Path classes = repository.resolve("classes");
    new PlantedHouse(classes)
        .module("far")
        .main("far", "package far; public class Star {}")
        .build();
    Path jar = jar();
    Files.createDirectories(jar.getParent());
    try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("far/Star.class"));
      zip.write(Files.readAllBytes(classes.resolve("far/target/classes/far/Star.class")));
      zip.closeEntry();
    }
  }

  @Test
  void whatIsDeclaredAndNamedIsRight() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core", LIBRARY)
            .main("core", "package p.core; class Sky { far.Star star; }")
            .build(jar());

    assertThat(breachesOf(house)).isEmpty();
  }

  @Test
  void aLibraryThatNothingNamesIsNamed() throws IOException {
    House house = new PlantedHouse(folder).module("core", LIBRARY).build();

    assertThat(breachesOf(house)).containsExactly("core declares far and never names it");
  }

  @Test
  void aModuleThatNothingNamesIsNamed() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core")
            .module("groups", "core")
            .main("core", "package p.core; public class Clock {}")
            .main("groups", "package p.groups; class Group {}")
            .build();

    assertThat(breachesOf(house)).containsExactly("groups declares core and never names it");
  }

  @Test
  void aLibraryThatOnlyTestsNameIsNotOneOfMainCode() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core", LIBRARY)
            .test("core", "package p.core; class SkyTest { far.Star star; }")
            .build(jar());

    assertThat(breachesOf(house)).containsExactly("core declares far and never names it");
  }

  @Test
  void aLibraryThatIsUsedAndNotDeclaredIsNamed() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core", "test " + LIBRARY)
            .main("core", "package p.core; class Sky { far.Star star; }")
            .test("core", "package p.core; class SkyTest { far.Star star; }")
            .build(jar());

    assertThat(breachesOf(house))
        .containsExactly("core uses far, of no declared library: p.core.Sky names far.Star");
  }

  @Test
  void whatMainCodeIsBroughtIsNotTakenFromItForTests() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core", LIBRARY)
            .module("groups", "core")
            .module("maps", "groups", "test core", "test " + LIBRARY)
            .main("core", "package p.core; public class Sky { far.Star star; }")
            .main("groups", "package p.groups; public class Group { p.core.Sky sky; }")
            .main("maps", "package p.maps; class Map { p.groups.Group group; }")
            .test("maps", "package p.maps; class MapTest { p.core.Sky sky; far.Star star; }")
            .build(jar());

    assertThat(breachesOf(house))
        .containsExactly(
            "maps declares core for tests, which takes it from its main code",
            "maps declares far for tests, which takes it from its main code");
  }

  @Test
  void exceptionsCountWhileTheyAreNeeded() throws IOException {
    House house = new PlantedHouse(folder).module("core", LIBRARY).build();

    assertThat(breachesOf(house, "# why", "", "unnamed core far: a driver")).isEmpty();
    assertThat(breachesOf(house, "unnamed core far: a driver", "far brings near: its API"))
        .containsExactly("dependencies.txt: nothing needs 'far near'");
    assertThat(breachesOf(house, "unnamed * far: a driver"))
        .contains("core declares far and never names it");
    assertThatThrownBy(() -> breachesOf(house, "unnamed core far"))
        .hasMessageContaining("unnamed core far");
  }

  private List<String> breachesOf(House house, String... exceptions) throws IOException {
    return Dependencies.breachesOf(
        house, new Libraries(house, repository), new DependencyExceptions(List.of(exceptions)));
  }

  private Path jar() {
    return repository.resolve("org/far/far/1.0/far-1.0.jar");
  }
}
