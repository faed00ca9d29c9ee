package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolMetricsTest {
  @Test
  void eachPoolHasItsSizeAndWhatIsInUse() {
    String text =
        PoolMetrics.text(
            new TreeMap<>(
                Map.of(
                    "threads", new PoolMetrics.Pool(100, () -> 3),
                    "connections", new PoolMetrics.Pool(20, () -> 20))));

    assertThat(text.lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "terrace_pool_in_use{pool=\"connections\"} 20",
            "terrace_pool_in_use{pool=\"threads\"} 3",
            "terrace_pool_size{pool=\"connections\"} 20",
            "terrace_pool_size{pool=\"threads\"} 100");
    assertThat(text).contains("# TYPE terrace_pool_in_use gauge\n");
  }
}
