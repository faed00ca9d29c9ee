package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** The size and what is in use are counted one after the other somewhere. */
  @Test
  void noMoreAreInUseThanThereAre() {
    assertThat(
            PoolMetrics.text(
                Map.of(
                    "grown", new PoolMetrics.Pool(() -> new PoolMetrics.Usage(3, 5)),
                    "odd", new PoolMetrics.Pool(2, () -> -1),
                    "none", new PoolMetrics.Pool(-1, () -> 1))))
        .contains(
            "in_use{pool=\"grown\"} 3\n", "in_use{pool=\"none\"} 0\n", "in_use{pool=\"odd\"} 0\n");
  }

  @Test
  void aPoolIsAskedForBothOfItsNumbersAtOnce() {
    AtomicInteger asked = new AtomicInteger();
    String text =
        PoolMetrics.text(
            Map.of(
                "lock",
                new PoolMetrics.Pool(() -> {
                  int now = asked.incrementAndGet();
                  return new PoolMetrics.Usage(now, now);
                })));

    assertThat(text).contains("in_use{pool=\"lock\"} 1\n", "size{pool=\"lock\"} 1\n");
    assertThat(asked).hasValue(1);
  }
}
