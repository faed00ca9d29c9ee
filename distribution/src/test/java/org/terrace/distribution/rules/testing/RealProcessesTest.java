package org.terrace.distribution.rules.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

/** The rule about tests that may run again, in the house and where broken on purpose. */
public class RealProcessesTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Path[] JUNIT = {place(Test.class), place(Tag.class)};

  private static final String LISTENS = "new java.net.ServerSocket(0).close();";

  private static final String PURE =
      """
      package org.shop;
      final class PriceTest {
        @org.junit.jupiter.api.Test
        void counts() {}
      }
      """;

  @TempDir private Path folder;
  private int houses;

  @Test
  void whoMayRunAgainIsMarked() throws IOException {
    assertThat(RealProcesses.breachesOf(House.read(ROOT))).isEmpty();
  }

  @Test
  void aMethodThatMayRunAgainIsNotPure() throws IOException {
    assertThat(PureMethods.breachesOf(House.read(ROOT))).isEmpty();
  }

  @Test
  void aTestThatListensAndIsNotMarkedIsNamed() throws IOException {
    assertThat(breaches("", "new java.net.ServerSocket(0).close();"))
        .anyMatch(breach -> breach.startsWith("org.shop.ShopTest has to do with processes"));
  }

  @Test
  void aTestWhoseHelperReadsTheClockAndThatIsNotMarkedIsNamed() throws IOException {
    assertThat(breaches("", "Helper.now();"))
        .anyMatch(breach -> breach.startsWith("org.shop.ShopTest has to do with processes"));
  }

  @Test
  void aTestThatIsMarkedForNothingIsNamed() throws IOException {
    assertThat(breaches("@org.junit.jupiter.api.Tag(\"real-processes\")", "\"a\".length();"))
        .anyMatch(breach -> breach.startsWith("org.shop.ShopTest has nothing to do"));
  }

  @Test
  void aSimulatedTestThatIsMarkedIsNamed() throws IOException {
    assertThat(
            breaches(
                "@org.junit.jupiter.api.Tag(\"real-processes\")",
                "new org.terrace.testing.simulation.Simulation();"))
        .anyMatch(breach -> breach.startsWith("org.shop.ShopTest is simulated"));
  }

  @Test
  void anUntimedTestThatTellsTimeIsNamed() throws IOException {
    String marks =
        "@org.junit.jupiter.api.Tag(\"real-processes\") @org.junit.jupiter.api.Tag(\"untimed\")";
    assertThat(breaches(marks, "new java.net.ServerSocket(0).close(); System.nanoTime();"))
        .anyMatch(breach -> breach.startsWith("org.shop.ShopTest is tagged untimed"));
    assertThat(breaches(marks, "new java.net.ServerSocket(0).close();"))
        .noneMatch(breach -> breach.startsWith("org.shop.ShopTest is tagged untimed"));
    assertThat(breaches("@org.junit.jupiter.api.Tag(\"untimed\")", "\"a\".length();"))
        .anyMatch(breach -> breach.startsWith("org.shop.ShopTest is tagged untimed"));
  }

  @Test
  void anUntimedTestWithAnInnerClassThatTellsTimeIsNamed() throws IOException {
    String marks =
        "@org.junit.jupiter.api.Tag(\"real-processes\") @org.junit.jupiter.api.Tag(\"untimed\")";
    assertThat(
            breaches(
                marks,
                "new java.net.ServerSocket(0).close();"
                    + " new Object() { long now() { return System.nanoTime(); } }.now();"))
        .anyMatch(breach -> breach.startsWith("org.shop.ShopTest is tagged untimed"));
  }

  @Test
  void aTagOfOneMethodIsNamed() throws IOException {
    assertThat(
            breaches(
                "",
                "new java.net.ServerSocket(0).close(); } @org.junit.jupiter.api.Test"
                    + " @org.junit.jupiter.api.Tag(\"real-processes\") void listens() {"))
        .anyMatch(breach -> breach.startsWith("org.shop.ShopTest is tagged in part"));
  }

  @Test
  void aModuleThatPaysForNoSuchTestIsNamed() throws IOException {
    assertThat(breaches("", "\"a\".length();"))
        .containsExactly("shop/pom.xml should set terrace.noRealProcesses: it has none");
  }

  @Test
  void aModuleThatSaysItHasNoSuchTestAndHasOneIsNamed() throws IOException {
    House house =
        planted("@org.junit.jupiter.api.Tag(\"real-processes\")", LISTENS)
            .test("shop", PURE)
            .property("shop", "terrace.noRealProcesses", "true")
            .build(JUNIT);

    assertThat(RealProcesses.breachesOf(house))
        .containsExactly("shop/pom.xml says terrace.noRealProcesses, and has such tests");
  }

  @Test
  void aModuleThatPaysForNoOtherTestIsNamed() throws IOException {
    assertThat(breaches("@org.junit.jupiter.api.Tag(\"real-processes\")", LISTENS))
        .containsExactly("shop/pom.xml should set terrace.onlyRealProcesses: it has no others");
  }

  @Test
  void aModuleThatSaysItHasNoOtherTestAndHasOneIsNamed() throws IOException {
    House house =
        planted("@org.junit.jupiter.api.Tag(\"real-processes\")", LISTENS)
            .test("shop", PURE)
            .property("shop", "terrace.onlyRealProcesses", "true")
            .build(JUNIT);

    assertThat(RealProcesses.breachesOf(house))
        .containsExactly("shop/pom.xml says terrace.onlyRealProcesses, and has other tests");
  }

  @Test
  void aModuleThatSaysWhatItHasIsRight() throws IOException {
    String mark = "@org.junit.jupiter.api.Tag(\"real-processes\")";
    House only =
        planted(mark, LISTENS).property("shop", "terrace.onlyRealProcesses", "true").build(JUNIT);
    House both = planted(mark, LISTENS).test("shop", PURE).build(JUNIT);

    assertThat(RealProcesses.breachesOf(only)).isEmpty();
    assertThat(RealProcesses.breachesOf(both)).isEmpty();
  }

  private List<String> breaches(String mark, String body) throws IOException {
    return RealProcesses.breachesOf(planted(mark, body).build(JUNIT));
  }

  private PlantedHouse planted(String mark, String body) throws IOException {
    PlantedHouse house =
        new PlantedHouse(folder.resolve(Integer.toString(houses++)))
            .module("testing")
            .module("shop");
    house.main(
        "testing",
        """
        package org.terrace.testing.simulation;
        public final class Simulation {}
        """);
    house.test(
        "shop",
        """
        package org.shop;
        final class Helper {
          static long now() {
            return System.nanoTime();
          }
        }
        """);
    house.test(
        "shop",
        """
        package org.shop;
        %s
        final class ShopTest {
          @org.junit.jupiter.api.Test
          void sells() throws Exception {
            %s
          }
        }
        """
            .formatted(mark, body));
    return house;
  }

  private static Path place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
