package org.terrace.experiment.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Event;

class BackendHistoryTest {
  private final BackendHistory history = new BackendHistory(Set.of("web1"));

  @Test
  void anEjectionLastsToTheAdmissionOrUntilNow() {
    history.printed("web1", "backend app1 down 100 It did not answer.");
    history.printed("web1", "backend app1 up 300");
    history.printed("web1", "backend app2 down 400 It did not answer in time.");

    assertThat(history.events(900))
        .containsExactly(
            ejection("app1", "It did not answer.", 100, 300),
            ejection("app2", "It did not answer in time.", 400, 900));
  }

  @Test
  void aLineThatIsNoProxysTellsNothing() {
    history.printed("app1", "backend database is ready");
    history.printed("app1", "backend app2 down 100 It is said by an application.");
    history.printed("web1", "backend database is ready");
    history.printed("web1", "backend app1 down 99999999999999999999 No such time.");
    history.printed("web1", "backend app1 broken 100 No such word.");

    assertThat(history.events(900)).isEmpty();
    assertThat(history.tellsLoss("app1", "backend app2 down 100 x")).isFalse();
    assertThat(history.tellsLoss("web1", "backend app2 down soon x")).isFalse();
    assertThat(history.tellsLoss("web1", "backend app2 down 100 x")).isTrue();
  }

  /** A word that is not known must not end an ejection either. */
  @Test
  void onlyAnAdmissionEndsAnEjection() {
    history.printed("web1", "backend app1 down 100 It did not answer.");
    history.printed("web1", "backend app1 is 200");

    assertThat(history.events(900))
        .containsExactly(ejection("app1", "It did not answer.", 100, 900));
  }

  private static Event ejection(String backend, String reason, long since, long until) {
    return new Event(
        "web1",
        BackendHistory.BACKEND_DOWN,
        since,
        until,
        Map.of("backend", backend, "reason", reason));
  }
}
