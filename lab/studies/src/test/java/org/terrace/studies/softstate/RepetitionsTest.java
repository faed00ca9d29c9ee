package org.terrace.studies.softstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RepetitionsTest {
  private final List<Duration> made = new ArrayList<>();

  /** The lengths of the measurements that are made when each sees so many calls. */
  private List<Duration> lengths(int... calls) throws InterruptedException {
    made.clear();
    List<JsonNode> summaries =
        Repetitions.untilEnough(
            "calls",
            Duration.ofSeconds(2),
            (times, lasts) -> {
              assertThat(times).isEqualTo(made.size());
              made.add(lasts);
              return summary(calls[Math.min(times, calls.length - 1)]);
            });
    assertThat(summaries).hasSameSizeAs(made);
    return made;
  }

  private static JsonNode summary(int calls) {
    return JsonMapper.shared()
        .readTree(
            """
            {"clients": 2, "calls": {"count": %d}, "readsFailed": 1, "updatesUnknown": 0,
             "acknowledgedUpdatesMissing": 1, "updatesTooMany": 2, "secondsToAgree": 3}
            """
                .formatted(calls));
  }

  @Test
  void whatSawEnoughIsNotMadeAgain() throws InterruptedException {
    assertThat(lengths(30)).containsExactly(Duration.ofSeconds(2));
  }

  @Test
  void whatSawTooFewIsMadeAgainForTwiceAsLong() throws InterruptedException {
    assertThat(lengths(0, 29, 30))
        .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8));
    assertThat(lengths(0))
        .hasSize(1 + Repetitions.TIMES_MAX)
        .last()
        .isEqualTo(Duration.ofSeconds(32));
  }

  @Test
  void lossesOfAMeasurementThatSawTooFewCountAllTheSame() {
    CartRun run =
        CartRun.of(Store.COLLECTIONS, summary(40), MadeUpResults.data())
            .withLossesOf(CartRun.of(Store.COLLECTIONS, summary(3), MadeUpResults.data()));

    assertThat(run.calls().count()).isEqualTo(40);
    assertThat(run.missing()).isEqualTo(2);
    assertThat(run.tooMany()).isEqualTo(4);
    assertThat(run.failed()).isEqualTo(2);
  }
}
