package org.terrace.collections.histories;

import java.util.List;
import java.util.function.LongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.SimulatedNode;

/** Listeners that throw: whatever they throw, the replicas stay equal, and every call counts. */
public final class ListenerScenario extends Scenario {
  private static final int THROWS_ONE_IN = 3;

  /** The exception that listeners throw. */
  private static final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OnPurpose() {
      super("a listener's error, on purpose", null, false, false);
    }
  }

  /** Kept, since a logger that nobody holds forgets its level. */
  private static final Logger LOG = Logger.getLogger(Store.class.getName());

  ListenerScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  /** Lets what listeners throw end an update that is numbered already. */
  private static final class Shifted extends WatchedState {
    private final RandomGenerator random;

    Shifted(long logBytesMax) {
      super(logBytesMax);
      random = Seeds.generator(logBytesMax);
    }

    @Override
    public <K> void applyOwn(
        Store<K, ?> store,
        K key,
        Dot dot,
        List<Dot> superseded,
        @Nullable Version put,
        byte[] delta,
        ChangeCause cause) {
      super.applyOwn(store, key, dot, superseded, put, delta, cause);
      if (random.nextInt(THROWS_ONE_IN) == 0) {
        throw new OnPurpose();
      }
    }
  }

  @Override
  int plainOneIn() {
    return 0;
  }

  @Override
  LongFunction<ReplicaState> plantedState() {
    return Shifted::new;
  }

  @Override
  public void started(SimulatedNode node, Site site) {
    LOG.setLevel(Level.OFF);
    site.map()
        .addListener(
            Runnable::run,
            change -> {
              if (random.nextInt(THROWS_ONE_IN) == 0) {
                throw new OnPurpose();
              }
            });
  }

  @Override
  void call(Site site, String name, int number) {
    try {
      plainCall(name, number);
    } catch (OnPurpose e) {
      check(planted, "a listener's error reached the writer");
    }
  }

  @Override
  void judge() {
    LOG.setLevel(null);
  }
}
