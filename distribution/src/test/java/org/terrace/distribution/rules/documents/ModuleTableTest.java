package org.terrace.distribution.rules.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

public class ModuleTableTest {
  @TempDir Path folder;

  @Test
  void aTableThatSaysWhatTheProjectsSayHolds() throws IOException {
    House house = plant("| `runtime/groups` | members | core | core:tests |");

    assertThat(table().breachesOf(house)).isEmpty();
  }

  @Test
  void everyDifferenceIsNamed() throws IOException {
    House house =
        plant(
            "| `runtime/groups` | members | testing | – |",
            "| `runtime/gone` | was here | core | |");

    assertThat(table().breachesOf(house))
        .containsExactly(
            "runtime/groups may use core: only its pom.xml says so",
            "runtime/groups may use testing: only the table says so",
            "tests of runtime/groups may also use core:tests: only its pom.xml says so",
            "runtime/gone is in the table and not built");
  }

  @Test
  void aModuleThatTheTableLeavesOutIsNamed() throws IOException {
    House house = plant();

    assertThat(table().breachesOf(house))
        .containsExactly("runtime/groups is not in the table of modules");
  }

  @Test
  void aModuleThatTheDrawingLeavesOutIsNamed() throws IOException {
    House house = plant();

    assertThat(ModuleTable.missingInDrawing(house, "The house:\n```\n groups ─▶ core\n```\n"))
        .isEmpty();
    assertThat(ModuleTable.missingInDrawing(house, "groups\n```\n groups-jgroups, core\n```\n"))
        .containsExactly("groups");
    assertThat(ModuleTable.missingInDrawing(house, "core and groups")).hasSize(2);
  }

  @Test
  void aDocumentWithoutTheTableIsRefused() throws IOException {
    new PlantedHouse(folder).file("ARCHITECTURE.md", "# Architecture");

    assertThatThrownBy(this::table).hasMessageContaining("no table");
  }

  private House plant(String... rows) throws IOException {
    String[] lines = new String[3 + rows.length];
    lines[0] = ModuleTable.HEADING;
    lines[1] = "|---|---|---|---|";
    lines[2] = "| `core` | what all need | – | – |";
    System.arraycopy(rows, 0, lines, 3, rows.length);
    return new PlantedHouse(folder)
        .module("core")
        .module("runtime/groups", "core", "test core:tests")
        .file("ARCHITECTURE.md", lines)
        .build();
  }

  private ModuleTable table() throws IOException {
    return ModuleTable.read(folder.resolve("ARCHITECTURE.md"));
  }
}
