package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.control.DetectorOptions;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.naming.Registration;
import org.terrace.middleware.Endpoint;

/** The decisions of one manager, step by step. */
class ManagerCoreTest {
  private static final String GROUP = "managers";
  private static final long SECOND = 1_000_000_000L;

  private final ManagerCore core =
      new ManagerCore(
          new ManagerOptions(
              GROUP,
              endpoint("m1"),
              "i1",
              0,
              List.of(ServiceOptions.of("seats", Style.WARM_PASSIVE, 1)),
              new DetectorOptions(Duration.ofMillis(20), 3, 12, Duration.ofMillis(300), 100),
              Duration.ofMillis(10),
              Duration.ofMillis(50),
              Duration.ofMillis(200),
              true),
          0);

  private static Endpoint endpoint(String manager) {
    return new Endpoint(manager, "manager", "127.0.0.1", 1, "");
  }

  private static Registration led(String manager, long term, long version) {
    return new Registration(
        new ServiceReference(GROUP, Style.WARM_PASSIVE, term, version, List.of(endpoint(manager))),
        term,
        1);
  }

  private Registration claimAt(long nowNanos) {
    return core.step(nowNanos, new ManagerEvent.Tick()).stream()
        .filter(ManagerEffect.Change.class::isInstance)
        .map(effect -> ((ManagerEffect.Change) effect).wanted())
        .findFirst()
        .orElseThrow();
  }

  /**
   * A naming service that was set back went on without this manager, to a later term under earlier
   * versions: a claim must be above that term, or it is refused for ever.
   */
  @Test
  void aClaimIsAboveTheTermOfAnAnswerThatIsNoNews() {
    core.step(SECOND, new ManagerEvent.Stored(led("m2", 5, 100), false));
    core.step(2 * SECOND, new ManagerEvent.Stored(led("m3", 7, 53), true));

    assertThat(claimAt(10 * SECOND).term()).isEqualTo(8);
  }

  @Test
  void aLeaderYieldsToAnotherOfItsOwnTerm() {
    core.step(SECOND, new ManagerEvent.Absent(GROUP, 10));
    Registration own = claimAt(2 * SECOND);
    core.step(2 * SECOND, new ManagerEvent.Stored(own, true));
    assertThat(core.isLeading()).isTrue();

    core.step(3 * SECOND, new ManagerEvent.Stored(led("m2", own.term(), own.version() + 1), false));

    assertThat(core.isLeading()).isFalse();
  }
}
