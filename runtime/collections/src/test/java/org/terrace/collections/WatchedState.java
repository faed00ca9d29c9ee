package org.terrace.collections;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;

/**
 * A state that tells its cluster what was known of each incarnation when it was found to be over,
 * and what its replica updated.
 */
public class WatchedState extends ReplicaState {
  private RetiredIncarnations retired = new RetiredIncarnations();
  private int roundsOver;

  public WatchedState(long logBytesMax) {
    super(logBytesMax);
  }

  void watch(RetiredIncarnations retiredOfCluster, int rounds) {
    retired = retiredOfCluster;
    roundsOver = rounds;
  }

  @Override
  public int roundsOver() {
    return roundsOver > 0 ? roundsOver : super.roundsOver();
  }

  @Override
  public void retireBefore(long incarnation) {
    VersionVector before = VersionVector.copyOf(applied());
    super.retireBefore(incarnation);
    retired.add(
        before.before(incarnation),
        one -> applied().roster().isRetired(one) && !before.roster().isRetired(one));
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
    retired.made(dot, key);
    super.applyOwn(store, key, dot, superseded, put, delta, cause);
  }
}
