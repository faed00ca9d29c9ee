package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;
import static org.terrace.analysis.Stations.request;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.RadixSort;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.testing.Seeds;

class DistributionsTest {

  @Test
  void sortsSlicesAsTheJdkDoes() {
    RandomGenerator random = Seeds.generator(Seeds.next("DistributionsTest.sorts"));
    RadixSort sort = new RadixSort();
    for (int round = 0; round < 60; round++) {
      long bound = 1L << (1 + random.nextInt(61));
      long[] values = random.longs(random.nextInt(4_000), 0, bound).toArray();
      int from = values.length == 0 ? 0 : random.nextInt(values.length);
      int to = from + (values.length == from ? 0 : random.nextInt(values.length - from));
      long[] expected = values.clone();
      Arrays.sort(expected, from, to);

      sort.sort(values, from, to);

      assertThat(values).isEqualTo(expected);
    }
  }

  @Test
  void percentilesOverAllClassesEqualThoseOfOneSortedArray() {
    RandomGenerator random = Seeds.generator(Seeds.next("DistributionsTest.classes"));
    RequestTable.Builder table = new RequestTable.Builder();
    int rows = 3_000;
    long[] all = new long[rows];
    for (int i = 0; i < rows; i++) {
      all[i] = (long) (random.nextExponential() * 5_000_000) + random.nextInt(2);
      long arrival = START + i * 1_000L;
      table.accept(request("a", "c" + random.nextInt(5), arrival, arrival + all[i], Outcome.OK));
    }
    Arrays.sort(all);
    Residences residences =
        Residences.of(
            ServerRequests.split(table.build())[0],
            new Stretch(START, START + 10 * SECONDS, "whole"),
            new RadixSort());

    Distribution distribution = residences.distribution();

    assertThat(distribution).usingRecursiveComparison().isEqualTo(Distributions.distribution(all));
    assertThat(distribution.count()).isEqualTo(rows);
    assertThat(Arrays.stream(distribution.binCounts()).sum()).isEqualTo(rows);
    assertThat(distribution.summary().p99()).isEqualTo(all[2_970 - 1] / 1e3);
    assertThat(distribution.summary().max()).isEqualTo(all[rows - 1] / 1e3);
    assertThat(distribution.summary().mean())
        .isCloseTo(Arrays.stream(all).average().orElseThrow() / 1e3, within(1e-6));
  }

  @Test
  void histogramBinsHoldWhatTheirEdgesSay() {
    RandomGenerator random = Seeds.generator(Seeds.next("DistributionsTest.histogram"));
    for (int round = 0; round < 20; round++) {
      long[] values = random.longs(200, 0, 1L << (1 + random.nextInt(40))).sorted().toArray();
      Distribution distribution = Distributions.distribution(values);
      double[] edges = distribution.binLowMicros();
      for (int bin = 0; bin < distribution.binCounts().length; bin++) {
        double low = edges[bin] * 1e3;
        double high = bin + 2 == edges.length ? Double.MAX_VALUE : edges[bin + 1] * 1e3;
        assertThat(distribution.binCounts()[bin])
            .isEqualTo(Arrays.stream(values).filter(v -> v >= low && v < high).count());
      }
      assertThat(edges[edges.length - 1] * 1e3)
          .isGreaterThanOrEqualTo((double) values[values.length - 1]);
    }
  }

  @Test
  void nothingHasAnEmptyDistribution() {
    assertThat(Distributions.distribution(new long[0]).count()).isZero();
  }
}
