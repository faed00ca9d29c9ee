package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/** Every library is a named module; one that cannot be says which name it keeps (decision 281). */
class ModuleNamesTest {
  private static final String DESCRIPTOR = "src/main/java/module-info.java";

  /** The libraries over others that share packages, which no module path takes (decision 281). */
  private static final Set<String> EXCUSED =
      Set.of("fleet-spark", "middleware-corba", "middleware-ejb");

  @TempDir Path scratch;

  @Test
  void everyLibraryHasAModuleName() throws IOException {
    House house = House.read(Path.of(System.getProperty("terrace.root")));
    List<String> breaches = new ArrayList<>();
    int libraries = 0;
    for (Module module : house.modules()) {
      if (BillOfMaterials.isLibrary(module)) {
        libraries++;
        breaches.addAll(breachesOf(module.name(), house.root().resolve(module.folder())));
      }
    }
    assertThat(libraries).isGreaterThan(10);
    assertThat(breaches).isEmpty();
    assertThat(EXCUSED).allMatch(house::hasModule);
  }

  @Test
  void aLibraryWithoutANameIsFound() throws IOException {
    Files.writeString(scratch.resolve("pom.xml"), "<project><artifactId>a</artifactId></project>");

    assertThat(breachesOf("a", scratch)).containsExactly("a has no module-info");
    assertThat(breachesOf("middleware-ejb", scratch))
        .containsExactly("middleware-ejb has no Automatic-Module-Name");
  }

  @Test
  void anAutomaticNameIsTakenFromThoseAloneThatAreExcused() throws IOException {
    Files.writeString(
        scratch.resolve("pom.xml"), "<Automatic-Module-Name>a</Automatic-Module-Name>");

    assertThat(breachesOf("a", scratch)).containsExactly("a has no module-info");
    assertThat(breachesOf("middleware-ejb", scratch)).isEmpty();
  }

  @Test
  void anExcuseThatIsNotNeededIsFound() throws IOException {
    Files.writeString(scratch.resolve("pom.xml"), "<project/>");
    Path descriptor = scratch.resolve(DESCRIPTOR);
    Files.createDirectories(descriptor.getParent());
    Files.writeString(descriptor, "module a {}");

    assertThat(breachesOf("a", scratch)).isEmpty();
    assertThat(breachesOf("fleet-spark", scratch))
        .containsExactly("fleet-spark has a module-info, and is excused from one");
  }

  private static List<String> breachesOf(String name, Path folder) throws IOException {
    boolean isExcused = EXCUSED.contains(name);
    if (Files.exists(folder.resolve(DESCRIPTOR))) {
      return isExcused ? List.of(name + " has a module-info, and is excused from one") : List.of();
    }
    if (!isExcused) {
      return List.of(name + " has no module-info");
    }
    return Files.readString(folder.resolve("pom.xml")).contains("<Automatic-Module-Name>")
        ? List.of()
        : List.of(name + " has no Automatic-Module-Name");
  }
}
