package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

class DescriptorsTest {
  @TempDir Path folder;

  @Test
  void aPackageOpenedToAModuleThatDoesNotUseItOrIsNoneIsNamed() throws IOException {
    Descriptors descriptors = Descriptors.of(planted());

    assertThat(descriptors.unused())
        .containsExactly(
            "the descriptor of runtime/groups opens p.groups.wire to p.shops, which does not use it",
            "the descriptor of runtime/groups opens p.groups.wire to p.gone, which is no module of the house");
  }

  @Test
  void aPackageOpenedToAModuleOfAWingAboveIsNamed() throws IOException {
    Descriptors descriptors = Descriptors.of(planted());

    assertThat(descriptors.namedAbove(Set.of("runtime"), Set.of("lab")))
        .containsExactly(
            "the descriptor of runtime/groups opens p.groups.inside to p.nodes of lab");
    assertThat(descriptors.namedAbove(Set.of("observatory"), Set.of("lab"))).isEmpty();
  }

  @Test
  void aPackageExportedWithoutNeedIsNamed() throws IOException {
    var planted =
        new PlantedHouse(folder)
            .module("groups")
            .module("maps", "groups")
            .module("shops", "groups")
            .main("groups", "package p.groups; public class Group { p.groups.spare.Spare own; }")
            .main("groups", "package p.groups.wire; public class Frame {}")
            .main("groups", "package p.groups.spare; public class Spare {}")
            .main("groups", "package p.groups.spare.deep; public class Deep {}")
            .main("groups", "package p.groups.inside; public class Inside {}")
            .main("maps", "package p.maps; public class Map { p.groups.wire.Frame frame; }")
            .main("shops", "package p.shops; class Shop { p.groups.spare.deep.Deep deep; }")
            .test("shops", "package p.shops; class ShopTest { p.groups.inside.Inside inside; }");
    House house = planted.build();
    planted
        .file(
            "groups/src/main/java/module-info.java",
            "module p.groups {",
            "  exports p.groups;",
            "  exports p.groups.wire;",
            "  exports p.groups.spare;",
            "  exports p.groups.inside to",
            "      p.maps,",
            "      p.shops;",
            "}")
        .file("maps/src/main/java/module-info.java", "module p.maps {}")
        .file("shops/src/main/java/module-info.java", "module p.shops {}");

    assertThat(Descriptors.of(house).exportedWithoutNeed())
        .containsExactly(
            "the descriptor of groups opens p.groups.inside to p.maps, which names no class of it",
            "the descriptor of groups exports p.groups.spare, of which no other module names a class");
  }

  private House planted() throws IOException {
    var planted =
        new PlantedHouse(folder)
            .module("runtime/groups")
            .module("runtime/maps", "groups")
            .module("runtime/shops")
            .module("lab/nodes", "groups");
    House house = planted.build();
    planted
        .file(
            "runtime/groups/src/main/java/module-info.java",
            "/** Groups. */",
            "module p.groups {",
            "  exports p.groups;",
            "  exports p.groups.wire to",
            "      p.maps,",
            "      p.shops,",
            "      p.gone;",
            "  opens p.groups.inside to",
            "      p.nodes,",
            "      library.of.others;",
            "}")
        .file("runtime/maps/src/main/java/module-info.java", "module p.maps {}")
        .file("runtime/shops/src/main/java/module-info.java", "module p.shops {}")
        .file("lab/nodes/src/main/java/module-info.java", "module p.nodes {}");
    return house;
  }
}
