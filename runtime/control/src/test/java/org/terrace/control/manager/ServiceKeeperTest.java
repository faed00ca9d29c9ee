package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.terrace.control.Style;
import org.terrace.control.detector.Verdict;
import org.terrace.control.naming.Registration;
import org.terrace.middleware.Endpoint;

/** The care of one service, step by step. */
class ServiceKeeperTest {
  private static final long SECOND = 1_000_000_000L;

  private final ServiceKeeper keeper =
      new ServiceKeeper(ServiceOptions.of("seats", Style.WARM_PASSIVE, 1));
  private final List<ManagerEffect> effects = new ArrayList<>();
  private long nowNanos;

  private static Endpoint endpoint(String replica) {
    return new Endpoint(replica, "terrace", "127.0.0.1", 1, "");
  }

  /** Decides, and answers every wanted change as a naming service that takes it does. */
  private Registration settle() {
    for (int round = 0; round < 5; round++) {
      nowNanos += SECOND;
      effects.clear();
      keeper.decide(nowNanos, effects);
      for (ManagerEffect effect : List.copyOf(effects)) {
        if (effect instanceof ManagerEffect.Change(Registration wanted)) {
          keeper.stored(wanted, true, nowNanos, effects);
        }
      }
    }
    return keeper.present();
  }

  @Test
  void theEpochGoesBeyondWhatADatabaseRemembers() {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(effects);
    keeper.up(endpoint("seats-1-1"), 1, nowNanos, effects);
    Registration fresh = settle();
    assertThat(fresh.reference().epoch()).isEqualTo(1);

    keeper.epochSeen(7);
    Registration raised = settle();

    assertThat(raised.reference().epoch()).isEqualTo(8);
    assertThat(raised.reference().endpoints()).isEqualTo(fresh.reference().endpoints());
    keeper.epochSeen(8);
    assertThat(settle()).isEqualTo(raised);
  }

  /** A replica that is listed, and whose connection then ends or falls silent. */
  private void lose(Verdict verdict) {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(effects);
    keeper.up(endpoint("seats-9-1"), 1, nowNanos, effects);
    assertThat(listed(settle())).containsExactly("seats-9-1");
    effects.clear();
    keeper.declareFailed("seats-9-1", verdict, 0, nowNanos, effects);
    keeper.decide(nowNanos, effects);
  }

  private static Stream<String> listed(Registration registration) {
    return registration.reference().endpoints().stream().map(Endpoint::replica);
  }

  private List<ManagerEffect> kills() {
    return effects.stream().filter(ManagerEffect.Kill.class::isInstance).toList();
  }

  @Test
  void aReplicaThatIsBackBeforeTheNamesAreChangedIsTakenBack() {
    lose(Verdict.CRASHED);
    keeper.up(endpoint("seats-9-1"), 1, nowNanos, effects);

    for (ManagerEffect effect : List.copyOf(effects)) {
      if (effect instanceof ManagerEffect.Change(Registration wanted)) {
        assertThat(wanted.reference().endpoints()).isEmpty();
        keeper.stored(wanted, true, nowNanos, effects);
      }
    }

    assertThat(listed(settle())).containsExactly("seats-9-1");
    assertThat(kills()).isEmpty();
  }

  @Test
  void aReplicaWhoseConnectionBrokeIsEndedOnlyWhenItHadTimeToComeBack() {
    lose(Verdict.CRASHED);
    for (ManagerEffect effect : List.copyOf(effects)) {
      if (effect instanceof ManagerEffect.Change(Registration wanted)) {
        keeper.stored(wanted, true, nowNanos, effects);
      }
    }
    assertThat(kills()).isEmpty();

    nowNanos += Condemned.RETURN_NANOS;
    effects.clear();
    keeper.decide(nowNanos, effects);
    assertThat(effects).contains(new ManagerEffect.Read("seats"));
    keeper.stored(keeper.present(), true, nowNanos, effects);
    assertThat(kills()).containsExactly(new ManagerEffect.Kill("seats-9-1", 1));
  }

  @Test
  void oneThatHungIsEndedAtOnceAndDisconnectedSoThatItMayRegisterAgain() {
    lose(Verdict.HUNG);
    assertThat(effects).contains(new ManagerEffect.Disconnect("seats-9-1"));
    for (ManagerEffect effect : List.copyOf(effects)) {
      if (effect instanceof ManagerEffect.Change(Registration wanted)) {
        keeper.stored(wanted, true, nowNanos, effects);
      }
    }
    assertThat(kills()).containsExactly(new ManagerEffect.Kill("seats-9-1", 1));

    keeper.up(endpoint("seats-9-1"), 1, nowNanos, effects);
    assertThat(listed(settle())).containsExactly("seats-9-1");
  }

  @Test
  void oneWhoseEndWasOrderedIsEndedThoughItRegistersAgain() {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(effects);
    keeper.up(endpoint("seats-9-1"), 1, nowNanos, effects);
    assertThat(listed(settle())).containsExactly("seats-9-1");
    keeper.up(endpoint("seats-9-2"), 2, nowNanos, effects);
    nowNanos += SECOND;
    effects.clear();
    keeper.decide(nowNanos, effects);
    keeper.declareFailed("seats-9-2", Verdict.CRASHED, 0, nowNanos, effects);
    keeper.up(endpoint("seats-9-2"), 2, nowNanos, effects);

    keeper.stored(keeper.present(), true, nowNanos, effects);

    assertThat(kills()).containsExactly(new ManagerEffect.Kill("seats-9-2", 2));
  }
}
