package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.control.Style;
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
}
