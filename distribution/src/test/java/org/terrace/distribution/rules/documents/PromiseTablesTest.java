package org.terrace.distribution.rules.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.PlantedHouse;

public class PromiseTablesTest {
  @TempDir Path folder;

  private List<String> breaches(String... rows) throws IOException {
    PlantedHouse house = new PlantedHouse(folder).module("calls");
    source(house, "Test", "@interface Test {}");
    source(
        house,
        "SeatTest",
        "class SeatTest {",
        "@Test",
        "void seatsAreSoldOnce() {}",
        "void no() {}",
        "}");
    source(house, "Contract", "abstract class Contract {", "@Test", "void holds() {}", "}");
    source(house, "HereTest", "class HereTest extends Contract {}");
    source(house, "LoneContract", "abstract class LoneContract {", "@Test", "void holds() {}", "}");
    source(house, "EmptyTest", "class EmptyTest {}");
    String[] guide = new String[rows.length + 6];
    guide[0] = "| fault | test |";
    guide[1] = "|---|---|";
    System.arraycopy(rows, 0, guide, 2, rows.length);
    guide[rows.length + 2] = "";
    guide[rows.length + 3] = "| command | prints |";
    guide[rows.length + 4] = "|---|---|";
    guide[rows.length + 5] = "| `bench` | figures |";
    house.file("docs/guide/calls.md", guide);
    PromiseTables tables = PromiseTables.read(house.build());
    assertThat(tables.lines()).isEqualTo(rows.length);
    return tables.breaches();
  }

  private static void source(PlantedHouse house, String name, String... lines) throws IOException {
    house.file(
        "calls/src/test/java/calls/" + name + ".java", "package calls;", String.join("\n", lines));
  }

  @Test
  void linesThatNameTestsHold() throws IOException {
    assertThat(
            breaches(
                "| a | `SeatTest` |",
                "| b | `SeatTest.seatsAreSoldOnce`, `seatsAreSoldOnce` (`runtime/calls`) |",
                "| c | `Contract.holds`, `HereTest.holds` |"))
        .isEmpty();
  }

  @Test
  void linesWithoutATestThatIsRunAreNamed() throws IOException {
    assertThat(
            breaches(
                "| a | |",
                "| b | `GoneTest` |",
                "| c | `SeatTest.gone`, `no` |",
                "| d | `LoneContract.holds` |",
                "| e | `EmptyTest` |"))
        .containsExactly(
            "calls.md:3 names no test",
            "calls.md:4 names GoneTest, which is no class of any module's tests",
            "calls.md:5 names SeatTest.gone, which is no test",
            "calls.md:5 names SeatTest.no, which is no test",
            "calls.md:6 names LoneContract, which no build runs",
            "calls.md:7 names EmptyTest, which no build runs");
  }

  @Test
  void whatIsSaidOnSecurityIsCheckedToo() throws IOException {
    PlantedHouse house = new PlantedHouse(folder).module("calls");
    house.file("docs/guide/calls.md", "# Calls");
    house.file(
        "SECURITY.md",
        "| input | test |",
        "|---|---|",
        "| frames | its frame tests |",
        "| files | `GoneTest` |");

    assertThat(PromiseTables.read(house.build()).breaches())
        .containsExactly(
            "SECURITY.md:3 names no test",
            "SECURITY.md:4 names GoneTest, which is no class of any module's tests");
  }
}
