package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.control.Style;

class LaunchesTest {
  private static final ServiceOptions OPTIONS = ServiceOptions.of("seats", Style.WARM_PASSIVE, 1);

  private final Launches launches = new Launches(OPTIONS, "k");
  private final List<ManagerEffect> effects = new ArrayList<>();
  private long now;

  private List<ManagerEffect> after(Duration time, boolean waits) {
    now += time.toNanos();
    effects.clear();
    if (waits) {
      launches.goOn("seats-1k-1", now, effects);
    }
    launches.decide(1, now, effects);
    return effects;
  }

  @Test
  void aReplicaThatSaysThatItWaitsIsNotGivenUpUntilItSaysNothing() {
    launches.lead(1);
    assertThat(after(Duration.ZERO, false))
        .containsExactly(new ManagerEffect.Launch("seats", "seats-1k-1"));
    Duration almost = OPTIONS.launchTimeout().minusMillis(1);
    assertThat(after(almost, true)).singleElement().isInstanceOf(ManagerEffect.Journal.class);
    for (int i = 0; i < 10; i++) {
      assertThat(after(almost, true)).isEmpty();
    }
    assertThat(launches.failures()).isZero();

    assertThat(after(almost, false)).isEmpty();
    assertThat(after(Duration.ofMillis(2), false))
        .contains(new ManagerEffect.Kill("seats-1k-1", 0));
    assertThat(launches.failures()).isEqualTo(1);
  }

  @Test
  void theWordOfOneThatWasNotLaunchedCountsNothing() {
    launches.lead(1);
    launches.goOn("seats-9k-9", now, effects);

    assertThat(effects).isEmpty();
    assertThat(launches.underWay()).isZero();
  }

  @Test
  void twoManagersThatLeadTheSameTermNameNoTwoReplicasAlike() {
    Launches another = new Launches(OPTIONS, "m");
    launches.lead(1);
    another.lead(1);

    launches.decide(2, now, effects);
    another.decide(2, now, effects);

    assertThat(effects)
        .extracting(effect -> ((ManagerEffect.Launch) effect).replica())
        .containsExactly("seats-1k-1", "seats-1k-2", "seats-1m-1", "seats-1m-2");
  }
}
