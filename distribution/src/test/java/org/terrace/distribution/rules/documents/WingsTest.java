package org.terrace.distribution.rules.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

public class WingsTest {
  @TempDir Path folder;

  private List<String> breaches(String... rows) throws IOException {
    Path readme = folder.resolve("README.md");
    Files.writeString(readme, Wings.HEADING + "\n|---|---|\n" + String.join("\n", rows) + "\n");
    House house = new PlantedHouse(folder).module("core").module("lab/apps/board").build();
    return Wings.breachesOf(house, readme);
  }

  @Test
  void aTableThatNamesAllHolds() throws IOException {
    assertThat(breaches("| `lab` proves | `board` |", "| beside them | `core`, `examples` |"))
        .isEmpty();
  }

  @Test
  void whatIsMissingOrNotBuiltIsNamed() throws IOException {
    assertThat(breaches("| `lab` proves | `core`, `gone` |", "| beside them | `core` |"))
        .containsExactly(
            "lab: board is not in the README's table of wings",
            "lab: core is in the README's table of wings and not built",
            "lab: gone is in the README's table of wings and not built");
  }
}
