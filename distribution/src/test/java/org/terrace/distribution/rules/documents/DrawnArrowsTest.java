package org.terrace.distribution.rules.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.documents.DrawnArrows.Arrow;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

public class DrawnArrowsTest {
  private static final String DRAWING =
      """
      ```
      ┌───────────────────────────────┐
      │ shop ─▶ till ─▶ money, paper  │
      │ │        │                    │
      │ │        ▼                    │
      │ └────▶ stock ◀─ orders-stock  │
      │          ▲                    │
      │        yard                   │
      └──────────┬────────────────────┘
                 ▼
      ```
      """;

  @TempDir Path folder;

  @Test
  void everyArrowJoinsTheWordsAtItsEnds() {
    assertThat(DrawnArrows.of(DRAWING).found())
        .containsExactlyInAnyOrder(
            new Arrow("shop", "till"),
            new Arrow("till", "money"),
            new Arrow("till", "paper"),
            new Arrow("till", "stock"),
            new Arrow("shop", "stock"),
            new Arrow("orders-stock", "stock"),
            new Arrow("yard", "stock"));
  }

  @Test
  void anArrowThatIsTurnedRoundOrLeadsToNothingIsNamed() throws IOException {
    House house = new PlantedHouse(folder).module("core").module("groups", "core").build();

    assertThat(DrawnArrows.of("```\n groups\n  │\n  ▼\n core\n```").breachesOf(house)).isEmpty();
    assertThat(DrawnArrows.of("```\n core\n  ▼\n groups\n```").breachesOf(house))
        .containsExactly(
            "the drawing lets core use groups: no pom.xml says so",
            "groups uses core, which is drawn above it");
    assertThat(DrawnArrows.of("```\n groups\n ─▶\n```").breachesOf(house))
        .containsExactly("line 3 of the drawing has an arrow that joins no two modules");
  }

  @Test
  void anArrowThatPointsUpOrAcrossIsNamed() throws IOException {
    House house = new PlantedHouse(folder).module("core").module("groups", "core").build();

    assertThat(DrawnArrows.of("```\n groups ─▶ core\n```").breachesOf(house))
        .containsExactly("the arrow from groups to core does not point down");
    assertThat(DrawnArrows.of("```\n core\n  ▲\n groups\n```").breachesOf(house))
        .containsExactly(
            "the arrow from groups to core does not point down",
            "groups uses core, which is drawn above it");
  }

  @Test
  void anArrowThatIsMissingBetweenModulesOfAWingIsNamed() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core")
            .module("runtime/groups", "core")
            .module("runtime/maps", "core", "groups")
            .module("runtime/shops", "groups", "maps", "test core")
            .build();

    assertThat(
            DrawnArrows.of("```\n shops\n  ▼\n maps\n  ▼\n groups\n core\n```").breachesOf(house))
        .isEmpty();
    assertThat(DrawnArrows.of("```\n shops\n  ▼\n maps\n\n groups\n core\n```").breachesOf(house))
        .containsExactly(
            "maps uses groups, and no arrow of the drawing leads there",
            "shops uses groups, and no arrow of the drawing leads there");
  }

  @Test
  void shaftsThatCrossGoOnBehindEachOther() {
    String drawing =
        """
        ```
         shop    yard
          │   ┌──┘
        ┌─│───┘
        │ ▼
        │ till
        ▼
        money
        ```
        """;

    assertThat(DrawnArrows.of(drawing).found())
        .containsExactlyInAnyOrder(new Arrow("shop", "till"), new Arrow("yard", "money"));
  }

  private static final String FRAMES =
      """
      ```
      ┌───────────────┐
      │ benchmarks    │
      ├───────────────┤
      │ lab (prove)   │
      │         nodes │
      └──┬────────┬───┘
         │        │
         ▼        ▼
      ┌───────┐ ┌─────────┐
      │ see   │ │ runtime │
      │ wire  │ │ groups  │
      └──┬────┘ └───┬─────┘
         ▼          ▼
      ┌─────────────────┐
      │ core  (testing) │
      └─────────────────┘
      ```
      """;

  private House framed(String... usesOfWire) throws IOException {
    return new PlantedHouse(folder)
        .module("core")
        .module("testing", "core")
        .module("see/wire", usesOfWire)
        .module("runtime/groups", "testing", "test wire")
        .module("lab/nodes", "core", "wire", "groups")
        .module("benchmarks", "nodes", "wire", "groups")
        .build();
  }

  @Test
  void anArrowBetweenFramesStandsForAUseBetweenTheirModules() throws IOException {
    DrawnArrows drawn = DrawnArrows.of(FRAMES);

    assertThat(drawn.foundBetweenFrames())
        .containsExactlyInAnyOrder(
            new Arrow("lab", "see"),
            new Arrow("lab", "runtime"),
            new Arrow("see", "core"),
            new Arrow("runtime", "core"));
    assertThat(drawn.breachesOf(framed("core"))).isEmpty();
  }

  @Test
  void anArrowBetweenFramesOfWhichNoneUsesTheOtherIsNamed() throws IOException {
    assertThat(DrawnArrows.of(FRAMES).breachesOf(framed("test core")))
        .containsExactly(
            "an arrow leads from the frame of see to that of core: no module there uses one");
  }

  @Test
  void anArrowThatIsMissingBetweenFramesIsNamed() throws IOException {
    String without =
        FRAMES
            .replace("└──┬────┘", "└───────┘")
            .replace("   ▼          ▼\n┌", "              ▼\n┌");

    assertThat(DrawnArrows.of(without).breachesOf(framed("core")))
        .containsExactly(
            "wire uses core, and no arrow leads from the frame of see to that of core");
    assertThat(DrawnArrows.of(FRAMES.replace('▼', ' ')).breachesOf(framed("core")))
        .containsExactly(
            "nodes uses core, and no arrow leads from the frame of lab to that of core",
            "nodes uses groups, and no arrow leads from the frame of lab to that of runtime",
            "nodes uses wire, and no arrow leads from the frame of lab to that of see",
            "groups uses testing, and no arrow leads from the frame of runtime to that of core",
            "wire uses core, and no arrow leads from the frame of see to that of core");
  }

  @Test
  void anArrowAcrossAndAFrameWithTheWrongModuleAreNamed() throws IOException {
    assertThat(
            DrawnArrows.of(FRAMES.replace("│ see   │ │ runtime │", "│ see   ├▶│ runtime │"))
                .breachesOf(framed("core")))
        .containsExactly(
            "an arrow leads from the frame of see to that of runtime: no module there uses one");
    assertThat(
            DrawnArrows.of(FRAMES.replace("│ wire  │ │ groups  │", "│ groups│ │ wire    │"))
                .breachesOf(framed("core")))
        .contains(
            "see/wire is drawn in the frame of runtime",
            "runtime/groups is drawn in the frame of see");
    assertThat(
            DrawnArrows.of(FRAMES.replace("   ▼          ▼\n┌", "   ▼\n\n┌"))
                .breachesOf(framed("core")))
        .contains("line 15 of the drawing has an arrow at an edge that joins no frames");
  }
}
