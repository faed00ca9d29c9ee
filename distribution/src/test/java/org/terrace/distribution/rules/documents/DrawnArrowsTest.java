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
}
