package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.setting.DeclaredMetrics;
import org.terrace.nodes.setting.DeclaredMetrics.Pool;
import org.terrace.nodes.setting.MetricSelector;
import org.terrace.observation.Sample;

class DeclaredReadingsTest {
  private static final long SECOND = 1_000_000_000L;

  private static MetricSelector metric(String text) {
    return MetricSelector.parse(text).orElseThrow();
  }

  private static DeclaredReadings readings(Map<String, Pool> pools, String... kept) {
    return new DeclaredReadings(
        "app1",
        new DeclaredMetrics(
            pools, List.of(kept).stream().map(DeclaredReadingsTest::metric).toList()));
  }

  private static Pool pool(String inUse, String size) {
    return new Pool(metric(inUse), Optional.of(metric(size)), 0);
  }

  private static Sample sample(String resource, long at, double value) {
    return new Sample("app1", resource, at, value);
  }

  @Test
  void aPoolIsTheShareInUseOfAllSeriesThatMatch() {
    DeclaredReadings readings =
        readings(Map.of("readers", pool("busy{of=\"stock\"}", "most{of=\"stock\"}")));
    String text =
        """
        # TYPE busy gauge
        busy{of="stock",part="a"} 3
        busy{part="b", of="stock"} 2
        busy{of="shop"} 100
        busyness{of="stock"} 100
        most{of="stock"} 10
        """;

    assertThat(readings.samples(text, 7, 0)).containsExactly(sample("pool-readers", 7, 0.5));
    assertThat(readings.untold()).isEmpty();
  }

  @Test
  void aPoolMayBeOfAFixedSize() {
    DeclaredReadings readings =
        readings(Map.of("lock", new Pool(metric("held"), Optional.empty(), 4)));

    assertThat(readings.samples("held 1\n", 7, 0)).containsExactly(sample("pool-lock", 7, 0.25));
  }

  @Test
  void aPoolWithoutASizeOrANumberHasNoReading() {
    DeclaredReadings readings = readings(Map.of("readers", pool("busy", "most")));

    assertThat(readings.samples("busy 3\n", 1, 0)).isEmpty();
    assertThat(readings.samples("busy 3\nmost 0\n", 1, 1)).isEmpty();
    assertThat(readings.samples("busy NaN\nmost 4\n", 1, 2)).isEmpty();
    assertThat(readings.samples("busy 3\nmost +Inf\n", 1, 3)).isEmpty();
    assertThat(readings.samples("busy 3\nmost 4\n", 1, 4)).hasSize(1);
  }

  @Test
  void whatWasNeverToldIsNamed() {
    DeclaredReadings readings = readings(Map.of("readers", pool("busy", "most")), "up{a=\"b\"}");

    assertThat(readings.samples("busy 3\nup{a=\"c\"} 1\n", 1, 0)).isEmpty();
    assertThat(readings.untold()).containsExactly("most", "up{a=\"b\"}");
  }

  @Test
  void aCounterIsWhatItGrowsByASecond() {
    DeclaredReadings readings = readings(Map.of(), "looks", "sold_total", "queue");
    String type = "# HELP looks How often.\n# TYPE looks counter\n";

    assertThat(readings.samples(type + "looks 10\nsold_total 5\nqueue 4\n", 1, 0))
        .containsExactly(sample("queue", 1, 4));
    assertThat(readings.samples(type + "looks 40\nsold_total 6\nqueue 2\n", 2, 2 * SECOND))
        .containsExactly(
            sample("looks-per-second", 2, 15),
            sample("sold_total-per-second", 2, 0.5),
            sample("queue", 2, 2));
    // Started again: what it had grown by is not known.
    assertThat(readings.samples(type + "looks 3\nqueue 2\n", 3, 3 * SECOND))
        .containsExactly(sample("queue", 3, 2));
    assertThat(readings.samples(type + "looks 4\nsold_total 9\nqueue 2\n", 4, 4 * SECOND))
        .as("a reading was left out")
        .containsExactly(sample("looks-per-second", 4, 1), sample("queue", 4, 2));
  }

  /** Their quantiles are no counters, and neither is what a gauge of that name tells. */
  @Test
  void theCountsAndSumsOfSummariesAndHistogramsAreCounters() {
    DeclaredReadings readings =
        readings(
            Map.of(),
            "took_count",
            "took_sum",
            "took{quantile=\"0.5\"}",
            "size_bucket{le=\"8\"}",
            "size_count",
            "users_count",
            "head_count");
    String type =
        """
        # TYPE took summary
        # TYPE size histogram
        # TYPE size_count gauge
        # TYPE users gauge
        """;
    String first =
        """
        took_count 1
        took_sum 2
        took{quantile="0.5"} 3
        size_bucket{le="8"} 4
        size_count 5
        users_count 6
        head_count 7
        """;
    String second =
        """
        took_count 3
        took_sum 6
        took{quantile="0.5"} 4
        size_bucket{le="8"} 5
        size_count 6
        users_count 7
        head_count 8
        """;

    assertThat(readings.samples(type + first, 1, 0))
        .extracting(Sample::resource)
        .containsExactly("took{quantile=\"0.5\"}", "size_count", "users_count", "head_count");
    assertThat(readings.samples(type + second, 2, SECOND))
        .containsExactly(
            sample("took_count-per-second", 2, 2),
            sample("took_sum-per-second", 2, 4),
            sample("took{quantile=\"0.5\"}", 2, 4),
            sample("size_bucket{le=\"8\"}-per-second", 2, 1),
            sample("size_count", 2, 6),
            sample("users_count", 2, 7),
            sample("head_count", 2, 8));
  }

  @Test
  void aTotalThatSaysThatItIsAGaugeIsOne() {
    DeclaredReadings readings = readings(Map.of(), "seats_total", "sold_total");

    assertThat(
            readings.samples(
                "# TYPE seats_total gauge\nseats_total 9\n# TYPE sold counter\nsold_total 9\n",
                1,
                0))
        .containsExactly(sample("seats_total", 1, 9));
  }

  @Test
  void whatWasToldAndGaveNoReadingIsNamed() {
    DeclaredReadings readings =
        readings(Map.of("endless", pool("busy", "most")), "sold_total", "queue");
    String never = "pool endless (a number in use beside a size above 0)";

    var _ = readings.samples("busy 3\nmost -1\nsold_total 1\nqueue 2\n", 1, 0);
    assertThat(readings.untold()).isEmpty();
    assertThat(readings.unread())
        .containsExactly(never, "counter sold_total (two numbers in a row of which none fell)");
    var _ = readings.samples("busy 3\nmost 0\nsold_total 1\nqueue 2\n", 2, SECOND);
    assertThat(readings.unread()).containsExactly(never);
    var _ = readings.samples("busy 3\nmost 4\nsold_total 1\nqueue 2\n", 3, 2 * SECOND);
    assertThat(readings.unread()).isEmpty();
  }

  @Test
  void whatWasNeverToldIsNotNamedTwice() {
    DeclaredReadings readings = readings(Map.of("readers", pool("busy", "most")), "sold_total");

    var _ = readings.samples("busy 3\n", 1, 0);
    assertThat(readings.untold()).containsExactly("most", "sold_total");
    assertThat(readings.unread()).isEmpty();
  }

  @Test
  void aSelectorIsWrittenAsInPrometheus() {
    assertThat(metric(" a:b { x = \"1,}\" , y=\"\\\"\\\\n\" } ").labels())
        .isEqualTo(Map.of("x", "1,}", "y", "\"\\n"));
    assertThat(metric("a{}").text()).isEqualTo("a");
    assertThat(metric("a{y=\"\\\"\\\\n\\n\",b=\"c\"}").text())
        .isEqualTo("a{b=\"c\",y=\"\\\"\\\\n\\n\"}");
    for (String wrong :
        List.of(
            "",
            "1a",
            "a b",
            "a{",
            "a{b}",
            "a{b=c}",
            "a{b=\"c}",
            "a{b=\"c\"d=\"e\"}",
            "a{b=\"c\"} 1")) {
      assertThat(MetricSelector.parse(wrong)).as(wrong).isEmpty();
    }
  }

  @Test
  void aLongLineIsReadWithoutDeepRecursion() {
    String label = "\\\\".repeat(500_000);

    assertThat(readings(Map.of(), "a").samples("a{b=\"" + label + "\"} 3\n", 1, 0))
        .containsExactly(sample("a", 1, 3));
  }
}
