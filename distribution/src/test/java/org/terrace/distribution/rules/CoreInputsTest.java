package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

class CoreInputsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.terrace.core.TimeSource.SYSTEM",
        "Thread.currentThread()",
        "new java.util.concurrent.locks.ReentrantLock()",
        "new java.util.concurrent.locks.ReentrantReadWriteLock().readLock()",
        "java.util.concurrent.Executors.newCachedThreadPool()",
        "new java.util.concurrent.CompletableFuture<Object>()",
        "new java.net.Socket()",
        "java.nio.channels.Selector.open()",
        "new ProcessBuilder()",
        "new java.util.IdentityHashMap<Object, Object>()",
        "System.identityHashCode(this)",
        "java.util.Set.of(1)",
        "java.util.Map.of(1, 2)",
        "java.util.Set.copyOf(java.util.List.of(1))",
        "java.util.stream.Stream.of(1).collect(java.util.stream.Collectors.toUnmodifiableSet())"
      })
  void whatNobodyGaveACoreIsNamed(String expression) throws IOException {
    House house = house(expression);

    for (String core : List.of("org.shop", "org.shop.Till")) {
      assertThat(CoreInputs.breachesOf(house, List.of(core)))
          .singleElement()
          .satisfies(breach ->
              assertThat(breach).matches("org.shop.Till is of a core and names (java|org).+"));
    }
    assertThat(CoreInputs.breachesOf(house, List.of("# a core", "org.shop.cash"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.util.List.of(1, 2)",
        "java.util.Set.of()",
        "new java.util.HashMap<Long, Long>()",
        "new java.util.SplittableRandom(7)",
        "java.net.InetSocketAddress.createUnresolved(\"till\", 1)"
      })
  void whatIsTheSameInEveryProcessIsRight(String expression) throws IOException {
    assertThat(CoreInputs.breachesOf(house(expression), List.of("org.shop"))).isEmpty();
  }

  @Test
  void aClassWithinAClassOfACoreIsOfIt() throws IOException {
    House house = house("new Object() { Object inner = Thread.currentThread(); }");

    assertThat(CoreInputs.breachesOf(house, List.of("org.shop.Till")))
        .containsExactly("org.shop.Till$1 is of a core and names java.lang.Thread");
  }

  @Test
  void aLineThatIsNoCoreIsNamed() throws IOException {
    assertThat(CoreInputs.breachesOf(house("1"), List.of("org.shop", "org.shop.Gone", "org")))
        .containsExactly(
            "org.shop.Gone is no package and no class", "org is no package and no class");
  }

  private House house(String expression) throws IOException {
    return new PlantedHouse(folder)
        .module("core")
        .module("shop", "core")
        .main(
            "core",
            """
            package org.terrace.core;
            public interface TimeSource { TimeSource SYSTEM = new TimeSource() {}; }
            """)
        .main(
            "shop",
            """
            package org.shop;
            class Till {
              Object value() throws Exception {
                return %s;
              }
            }
            """
                .formatted(expression))
        .main("shop", "package org.shop.cash; class Drawer {}")
        .build();
  }
}
