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
      new ServiceKeeper(ServiceOptions.of("seats", Style.WARM_PASSIVE, 1), "k");
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
        if (effect instanceof ManagerEffect.Change(Registration wanted, long replaced)) {
          keeper.stored(wanted, true, nowNanos, effects);
        }
      }
    }
    return keeper.present();
  }

  @Test
  void theEpochGoesBeyondWhatADatabaseRemembers() {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(0);
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

  private ManagerEffect.Change nextChange() {
    effects.clear();
    nowNanos += SECOND;
    keeper.decide(nowNanos, effects);
    return effects.stream()
        .filter(ManagerEffect.Change.class::isInstance)
        .map(ManagerEffect.Change.class::cast)
        .findAny()
        .orElseThrow();
  }

  @Test
  void whatTheNamingServiceForgotIsPutBackAboveAllThatAnybodyWasTold() {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(0);
    keeper.up(endpoint("seats-1-1"), 1, nowNanos, effects);
    Registration before = settle();

    keeper.absent(1_000_000);
    ManagerEffect.Change change = nextChange();

    assertThat(change.replaced()).isZero();
    assertThat(change.wanted().version()).isGreaterThan(1_000_000);
    assertThat(change.wanted().reference().epoch()).isGreaterThan(before.reference().epoch());
    assertThat(change.wanted().reference().endpoints()).isEqualTo(before.reference().endpoints());
    keeper.stored(change.wanted(), true, nowNanos, effects);
    assertThat(settle()).isEqualTo(change.wanted());
  }

  @Test
  void anEarlierValueThatTheNamingServiceIsGivenBackIsReplacedByTheNewest() {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(0);
    keeper.up(endpoint("seats-1-1"), 1, nowNanos, effects);
    Registration earlier = settle();
    keeper.epochSeen(7);
    Registration newest = settle();

    keeper.stored(earlier, true, nowNanos, effects);
    ManagerEffect.Change change = nextChange();

    assertThat(keeper.present()).isEqualTo(newest);
    assertThat(change.replaced()).isEqualTo(earlier.version());
    assertThat(change.wanted().version()).isGreaterThan(newest.version());
    assertThat(change.wanted().reference().epoch()).isEqualTo(newest.reference().epoch());
  }

  @Test
  void aLeaderAsksAgainAndAgainWhetherItsNameIsStillThere() {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(0);
    keeper.up(endpoint("seats-1-1"), 1, nowNanos, effects);
    settle();

    effects.clear();
    keeper.stored(keeper.present(), true, nowNanos, effects);
    nowNanos += 10 * SECOND;
    keeper.decide(nowNanos, effects);

    assertThat(effects).contains(new ManagerEffect.Read("seats"));
  }

  @Test
  void replicasAreReplacedThoughNobodyAnswersWhetherTheNameIsStillThere() {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(0);
    keeper.up(endpoint("seats-1-1"), 1, nowNanos, effects);
    settle();
    keeper.stored(keeper.present(), true, nowNanos, effects);
    nowNanos += 10 * SECOND;
    keeper.decide(nowNanos, effects);
    keeper.unanswered(nowNanos);

    effects.clear();
    keeper.declareFailed("seats-1-1", Verdict.CRASHED, 0, nowNanos, effects);
    nowNanos += 10 * SECOND;
    keeper.decide(nowNanos, effects);

    assertThat(effects).anyMatch(ManagerEffect.Launch.class::isInstance);
  }

  /** A replica that is listed, and whose connection then ends or falls silent. */
  private void lose(Verdict verdict) {
    keeper.lead(1, nowNanos, effects);
    keeper.absent(0);
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
      if (effect instanceof ManagerEffect.Change(Registration wanted, long replaced)) {
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
      if (effect instanceof ManagerEffect.Change(Registration wanted, long replaced)) {
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
      if (effect instanceof ManagerEffect.Change(Registration wanted, long replaced)) {
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
    keeper.absent(0);
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
