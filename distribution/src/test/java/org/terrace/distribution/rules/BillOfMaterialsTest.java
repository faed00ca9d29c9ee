package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Pom;

class BillOfMaterialsTest {
  private static House house;
  private static Pom bom;

  @BeforeAll
  static void read() throws IOException {
    Path root = Path.of(System.getProperty("terrace.root"));
    house = House.read(root);
    bom = Pom.read(root.resolve("bom/pom.xml"));
  }

  @Test
  void theBillListsEveryLibrary() {
    assertThat(BillOfMaterials.breaches(house, bom)).isEmpty();
  }

  @Test
  void aLibraryThatIsLeftOutIsNamed() {
    List<Pom.Dependency> fewer = new ArrayList<>(bom.managed());
    Pom.Dependency removed = fewer.removeFirst();

    assertThat(BillOfMaterials.breaches(house, withManaged(fewer)))
        .containsExactly("bom/pom.xml does not list the library " + removed.artifact() + ".");
  }

  @Test
  void aProgramAndAnotherVersionAreNamed() {
    List<Pom.Dependency> more = new ArrayList<>(bom.managed());
    more.add(new Pom.Dependency("org.terrace", "terrace-cli", "0.0.9", "", "", false));

    assertThat(BillOfMaterials.breaches(house, withManaged(more)))
        .containsExactly(
            "bom/pom.xml: terrace-cli is not in the version "
                + house.pom().properties().get("project.version")
                + ".",
            "bom/pom.xml lists terrace-cli, which is no library.");
  }

  private static Pom withManaged(List<Pom.Dependency> managed) {
    return new Pom(bom.artifact(), List.of(), Map.copyOf(bom.properties()), managed, List.of());
  }
}
