package org.terrace.distribution.rules.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

/** The rule about tests that nothing runs, in the house and where broken on purpose. */
public class UnrunTestsTest {
  private static final Path[] JUNIT = {place(Test.class), place(Nested.class)};

  @TempDir private Path folder;

  @Test
  void everyTestOfTheHouseIsRun() throws IOException {
    House house = House.read(Path.of(System.getProperty("terrace.root")));

    assertThat(UnrunTests.breachesOf(house)).isEmpty();
  }

  @Test
  void aClassThatNothingRunsIsNamed() throws IOException {
    String test = "{ @org.junit.jupiter.api.Test void sells() {} }";
    House house =
        new PlantedHouse(folder)
            .module("shop")
            .test("shop", "package org.shop; class ShopTest " + test)
            .test("shop", "package org.shop; class ShopCheck " + test)
            .test("shop", "package org.shop; abstract class Contract " + test)
            .test("shop", "package org.shop; class TillTest extends Contract {}")
            .test("shop", "package org.shop; abstract class Forgotten " + test)
            .test("shop", "package org.shop; class TillCheck extends Forgotten {}")
            .test(
                "shop",
                "package org.shop; class OuterTest { @org.junit.jupiter.api.Nested class Run "
                    + test
                    + " static class Left "
                    + test
                    + " }")
            .build(JUNIT);

    assertThat(UnrunTests.breachesOf(house))
        .containsExactly(
            "org.shop.Forgotten has tests that nothing runs: no class that is run extends it",
            "org.shop.OuterTest$Left has tests that nothing runs: mark it @Nested",
            "org.shop.ShopCheck has tests that nothing runs: its name must end with Test");
  }

  private static Path place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
