package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void percentilesAreThoseOfTheRanks() {
    Latencies first = new Latencies();
    Latencies second = new Latencies();
    for (int i = 1; i <= 1_000; i++) {
      (i % 2 == 0 ? first : second).add(i * 1_000L);
    }
    Map<String, Double> figures = new TreeMap<>();

    Latencies.merge(List.of(first, second)).putInto(figures, "x");

    assertThat(figures).containsEntry("x-p50", 500.0).containsEntry("x-p99", 990.0);
    assertThat(figures).containsEntry("x-p999", 999.0);
  }
}
