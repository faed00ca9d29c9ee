package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.testing.ManualTimeSource;

class DisturbedPlacesTest {
  private static final Endpoint APP = new Endpoint("app1", "127.7.0.2", 8080);
  private static final int METRICS = 9100;
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** A fault that does nothing. */
  private static final Hold NOTHING =
      new Hold() {
        @Override
        public void begin() {}

        @Override
        public Map<String, String> end() {
          return Map.of();
        }
      };

  private final ManualTimeSource time = new ManualTimeSource(0);
  private final DisturbedPlaces places = new DisturbedPlaces(time);

  private boolean isDisturbed(int port, int seconds) {
    return places.isDisturbed(APP.address(), port, Duration.ofSeconds(seconds), PATIENCE);
  }

  @Test
  void aFaultOfAnAddressIsOneOfEachOfItsPortsAndForAMomentAfter() {
    Hold cut = places.atAddress(APP, NOTHING);
    assertThat(isDisturbed(METRICS, 9)).isFalse();
    cut.begin();

    assertThat(isDisturbed(APP.port(), 0)).isTrue();
    assertThat(isDisturbed(METRICS, 0)).as("metrics on a port of their own").isTrue();
    assertThat(places.isDisturbed("127.7.0.3", METRICS, Duration.ZERO, PATIENCE))
        .as("another")
        .isFalse();

    var _ = cut.end();
    time.advanceNanos(2_000_000_000L);
    assertThat(isDisturbed(METRICS, 2)).isTrue();
    assertThat(isDisturbed(METRICS, 1)).isFalse();
  }

  @Test
  void aFaultOfAPortIsOneOfItAlone() {
    Hold openings = places.atPort(APP, NOTHING);
    openings.begin();

    assertThat(isDisturbed(APP.port(), 0)).isTrue();
    assertThat(isDisturbed(METRICS, 9)).isFalse();
  }

  /** Or else a millisecond would excuse every reading that a sick server owes. */
  @Test
  void aDelayThatAnAnswerOutlastsTakesNone() {
    Hold brief = places.atAddress(APP, Duration.ofMillis(1), NOTHING);
    brief.begin();
    assertThat(isDisturbed(METRICS, 9)).isFalse();

    Hold longer = places.atAddress(APP, PATIENCE.dividedBy(4), NOTHING);
    longer.begin();

    assertThat(isDisturbed(METRICS, 0)).isTrue();
    var _ = brief.end();
    assertThat(isDisturbed(METRICS, 0)).as("the longer one lasts").isTrue();
    var _ = longer.end();
    time.advanceNanos(60_000_000_000L);
    places.atAddress(APP, Duration.ofMillis(1), NOTHING).begin();
    assertThat(isDisturbed(METRICS, 9)).as("a brief one after it").isFalse();
  }
}
