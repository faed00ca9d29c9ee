package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

class ArrowsTest {
  @TempDir Path folder;
  private PlantedHouse planted;

  @BeforeEach
  void plantTwoModules() throws IOException {
    planted =
        new PlantedHouse(folder)
            .main("core", "package p.core; public class Clock {}")
            .test("core", "package p.core; public class ClockFixture {}");
  }

  @Test
  void declaredUsesAreAllowed() throws IOException {
    House house =
        planted
            .module("core")
            .module("runtime/groups", "core", "test core:tests")
            .main("runtime/groups", "package p.groups; class Group { p.core.Clock clock; }")
            .test("runtime/groups", "package p.groups; class GroupTest { p.core.ClockFixture c; }")
            .build();

    assertThat(Arrows.breachesOf(house)).isEmpty();
  }

  @Test
  void aUseThatOnlyAnotherDependencyWouldBringIsNamed() throws IOException {
    House house =
        planted
            .module("core")
            .module("runtime/groups")
            .main("runtime/groups", "package p.groups; class Group { p.core.Clock clock; }")
            .build();

    assertThat(Arrows.breachesOf(house))
        .containsExactly(
            "groups uses core and its pom.xml does not declare it: p.groups.Group names p.core.Clock");
  }

  @Test
  void theModuleIsTheArtifactAndNotThePackage() throws IOException {
    House house =
        planted
            .module("core")
            .module("runtime/groups-jgroups")
            .main("runtime/groups-jgroups", "package p.core; class Adapter { Clock clock; }")
            .build();

    assertThat(Arrows.breachesOf(house))
        .singleElement()
        .asString()
        .contains("groups-jgroups uses core", "p.core.Adapter names p.core.Clock");
  }

  @Test
  void testsHaveArrowsOfTheirOwn() throws IOException {
    House house =
        planted
            .module("core")
            .module("runtime/groups", "test core")
            .main("runtime/groups", "package p.groups; class Group { p.core.Clock clock; }")
            .test("runtime/groups", "package p.groups; class GroupTest { p.core.ClockFixture c; }")
            .build();

    assertThat(Arrows.breachesOf(house))
        .containsExactly(
            "groups uses core and its pom.xml does not declare it: p.groups.Group names p.core.Clock",
            "tests of groups uses core:tests and its pom.xml does not declare it: "
                + "p.groups.GroupTest names p.core.ClockFixture");
  }

  @Test
  void testsMayUseWhatMainCodeIsBrought() throws IOException {
    House house =
        planted
            .module("core")
            .module("runtime/groups", "core")
            .module("runtime/maps", "groups")
            .main("runtime/groups", "package p.groups; public class Group { p.core.Clock clock; }")
            .main("runtime/maps", "package p.maps; class Map { p.groups.Group group; }")
            .test("runtime/maps", "package p.maps; class MapTest { p.core.Clock clock; }")
            .build();

    assertThat(Arrows.breachesOf(house)).isEmpty();
  }

  @Test
  void aTestOfTheRuntimeThatNamesTheLabIsNamed() throws IOException {
    House house =
        planted
            .module("core")
            .module("lab/nodes")
            .module("runtime/groups", "test nodes")
            .main("lab/nodes", "package p.nodes; public class Node {}")
            .test("runtime/groups", "package p.groups; class GroupTest { p.nodes.Node node; }")
            .build();

    assertThat(Arrows.breachesOf(house)).isEmpty();
    assertThat(Arrows.breachesOfWings(house, Set.of("runtime"), "lab"))
        .containsExactly("p.groups.GroupTest of runtime/groups names p.nodes.Node");
    assertThat(Arrows.breachesOfWings(house, Set.of("core"), "lab")).isEmpty();
  }
}
