package org.terrace.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConfigurationNamesTest {
  private static final Configuration ONE =
      new Configuration(
          "1/1/0/1", "postgresql", Map.of("app", "small"), Map.of("load.mix", "read-write"));

  private static Configuration with(Configuration like, Map<String, String> variations) {
    return new Configuration(like.topology(), like.database(), like.nodeTypes(), variations);
  }

  @Test
  void whatAllHaveIsSaidOnce() {
    ConfigurationNames names =
        ConfigurationNames.of(List.of(ONE, ONE.withServers("app", 2), ONE.withServers("app", 3)));

    assertThat(names.of(ONE)).isEqualTo("1/1/0/1");
    assertThat(names.of(ONE.withServers("app", 3))).isEqualTo("1/3/0/1");
    assertThat(names.note())
        .isEqualTo("All configurations have postgresql, app=small, load.mix=read-write.");
  }

  @Test
  void whatMostHaveIsSaidOfTheOthers() {
    Configuration browsed = with(ONE, Map.of("load.mix", "browse-only"));
    ConfigurationNames names =
        ConfigurationNames.of(
            List.of(ONE, ONE.withServers("app", 2), ONE.withServers("app", 3), browsed));

    assertThat(names.of(ONE)).isEqualTo("1/1/0/1");
    assertThat(names.of(browsed)).isEqualTo("1/1/0/1 load.mix=browse-only");
    assertThat(names.note())
        .isEqualTo(
            "All configurations have postgresql, app=small. Those whose name does not say"
                + " otherwise have load.mix=read-write.");
  }

  @Test
  void whatHalfHaveIsSaidOfEach() {
    Configuration browsed = with(ONE, Map.of("load.mix", "browse-only"));

    assertThat(ConfigurationNames.of(List.of(ONE, browsed)).of(ONE))
        .isEqualTo("1/1/0/1 load.mix=read-write");
  }

  @Test
  void whatOneLacksIsNotUsual() {
    Configuration bare = with(ONE, Map.of());
    ConfigurationNames names =
        ConfigurationNames.of(
            List.of(ONE, ONE.withServers("app", 2), ONE.withServers("app", 3), bare));

    assertThat(names.of(ONE)).isEqualTo("1/1/0/1 load.mix=read-write");
    assertThat(names.of(bare)).isEqualTo("1/1/0/1");
  }

  @Test
  void oneAloneHasItsWholeName() {
    ConfigurationNames names = ConfigurationNames.of(List.of(ONE, ONE));

    assertThat(names.of(ONE)).isEqualTo(ONE.label());
    assertThat(names.note()).isEmpty();
  }

  @Test
  void namesAreUnique() {
    long seed = 20_261_128;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      List<Configuration> all = new ArrayList<>();
      int size = 1 + random.nextInt(8);
      for (int i = 0; i < size; i++) {
        Map<String, String> types =
            random.nextInt(3) == 0
                ? Map.of()
                : Map.of("app", random.nextBoolean() ? "L" : "normal");
        Map<String, String> variations =
            random.nextInt(4) == 0
                ? Map.of()
                : Map.of("mix", random.nextInt(4) == 0 ? "b" : "a", "web", "proxy");
        all.add(
            new Configuration(
                "1/" + (1 + random.nextInt(2)) + "/0/1",
                random.nextInt(4) == 0 ? "mariadb" : "postgresql",
                types,
                variations));
      }
      ConfigurationNames names = ConfigurationNames.of(all);

      assertThat(all.stream().map(names::of).distinct())
          .as("%s", all)
          .hasSameSizeAs(all.stream().map(Configuration::label).distinct().toList());
    }
  }
}
