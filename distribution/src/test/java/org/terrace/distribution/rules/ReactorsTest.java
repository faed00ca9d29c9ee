package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

/** The rule about the modules built along with one, in the house and where broken on purpose. */
class ReactorsTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));

  @Test
  void theWingsAreBuiltWithoutEachOther() throws IOException {
    House house = House.read(ROOT);
    assertThat(Reactors.breachesOf(house, "runtime", Set.of("lab", "observatory"))).isEmpty();
    assertThat(Reactors.breachesOf(house, "observatory", Set.of("lab", "runtime"))).isEmpty();
  }

  @Test
  void whatATestDependencyOfADependencyBringsIsNamed(@TempDir Path folder) throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("lab/nodes")
            .module("core", "test nodes")
            .module("runtime/calls", "core")
            .build();
    assertThat(Reactors.breachesOf(house, "runtime", Set.of("lab", "observatory")))
        .containsExactly("to build runtime/calls builds lab/nodes");
  }
}
