package org.terrace.distribution.rules.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.PlantedHouse;

/** The rule about pure methods in classes that may run again, where broken on purpose. */
public class PureMethodsTest {
  private static final Path[] JUNIT = {
    Path.of(Test.class.getProtectionDomain().getCodeSource().getLocation().getPath()),
    Path.of(Tag.class.getProtectionDomain().getCodeSource().getLocation().getPath())
  };

  private static final String TAG = "@org.junit.jupiter.api.Tag(\"real-processes\")";
  private static final String LISTENS = "new java.net.ServerSocket(0).close();";

  @TempDir private Path folder;

  @Test
  void aPureMethodBesideARealOneIsNamed() throws IOException {
    assertThat(breaches(TAG, "", LISTENS, "Sums.of(1, 2);"))
        .singleElement()
        .satisfies(breach -> assertThat(breach).startsWith("org.shop.ShopTest.adds is pure"));
  }

  @Test
  void aClassWithoutTheTagMayHaveSuchMethods() throws IOException {
    assertThat(breaches("", "", LISTENS, "Sums.of(1, 2);")).isEmpty();
  }

  @Test
  void aMethodThatReachesASocketThroughOthersIsNotNamed() throws IOException {
    assertThat(breaches(TAG, "", LISTENS, "Sums.byWire();")).isEmpty();
  }

  @Test
  void aMethodThatReachesASocketThroughAnObjectOrALambdaIsNotNamed() throws IOException {
    assertThat(breaches(TAG, "", LISTENS, "Runnable sum = new Wired(); sum.run();")).isEmpty();
  }

  @Test
  void aMethodThatCallsAnInterfaceOfWhichOneListensIsNotNamed() throws IOException {
    assertThat(breaches(TAG, "", LISTENS, "Sums.anySum().run();")).isEmpty();
  }

  @Test
  void whatIsDoneBeforeEachTestCountsForAll() throws IOException {
    String before =
        "@org.junit.jupiter.api.BeforeEach void listens() throws Exception { " + LISTENS + " }";

    assertThat(breaches(TAG, before, LISTENS, "Sums.of(1, 2);")).isEmpty();
  }

  @Test
  void aFieldCountsForAll() throws IOException {
    assertThat(breaches(TAG, "private final Wired wired = new Wired();", LISTENS, "Sums.of(1, 2);"))
        .isEmpty();
  }

  private List<String> breaches(String mark, String member, String first, String second)
      throws IOException {
    PlantedHouse house = new PlantedHouse(folder).module("shop");
    house.main(
        "shop",
        """
        package org.shop;
        public interface Sum {
          void run();
        }
        """);
    house.main(
        "shop",
        """
        package org.shop;
        class Sums {
          static int of(int one, int other) {
            return one + other;
          }
          static void byWire() {
            Runnable wired = () -> new Wired().run();
            wired.run();
          }
          static Sum anySum() {
            return java.util.ServiceLoader.load(Sum.class).findFirst().orElseThrow();
          }
        }
        """);
    house.main(
        "shop",
        """
        package org.shop;
        final class Wired implements Sum, Runnable {
          @Override
          public void run() {
            try {
              new java.net.Socket().close();
            } catch (java.io.IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          }
        }
        """);
    house.test(
        "shop",
        """
        package org.shop;
        %s
        final class ShopTest {
          %s
          @org.junit.jupiter.api.Test
          void sells() throws Exception {
            %s
          }
          @org.junit.jupiter.api.Test
          void adds() throws Exception {
            %s
          }
        }
        """
            .formatted(mark, member, first, second));
    return PureMethods.breachesOf(house.build(JUNIT));
  }
}
