package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every library is a named module; one that cannot be says which name it keeps (decision 281). */
class ModuleNamesTest {
  private static final String DESCRIPTOR = "src/main/java/module-info.java";

  @TempDir Path scratch;

  @Test
  void everyLibraryHasAModuleName() throws IOException {
    House house = House.read(Path.of(System.getProperty("terrace.root")));
    List<String> nameless = new ArrayList<>();
    int libraries = 0;
    for (Module module : house.modules()) {
      if (BillOfMaterials.isLibrary(module)) {
        libraries++;
        if (!isNamed(house.root().resolve(module.folder()))) {
          nameless.add(module.folder());
        }
      }
    }
    assertThat(libraries).isGreaterThan(10);
    assertThat(nameless).isEmpty();
  }

  @Test
  void aLibraryWithoutANameIsFound() throws IOException {
    Files.writeString(scratch.resolve("pom.xml"), "<project><artifactId>a</artifactId></project>");

    assertThat(isNamed(scratch)).isFalse();
  }

  private static boolean isNamed(Path folder) throws IOException {
    return Files.exists(folder.resolve(DESCRIPTOR))
        || Files.readString(folder.resolve("pom.xml")).contains("<Automatic-Module-Name>");
  }
}
