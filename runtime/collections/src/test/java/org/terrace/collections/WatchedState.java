package org.terrace.collections;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A state that tells its cluster what was known of each life when it was found to be over, and what
 * its replica updated.
 */
class WatchedState extends ReplicaState {
  private RetiredLives retired = new RetiredLives();
  private int roundsOver = Retirement.ROUNDS_OVER;

  WatchedState(long logBytesMax) {
    super(logBytesMax);
  }

  void watch(RetiredLives retiredOfCluster, int rounds) {
    retired = retiredOfCluster;
    roundsOver = rounds;
  }

  @Override
  int roundsOver() {
    return roundsOver;
  }

  @Override
  void retireBefore(long life) {
    retired.add(applied().before(life));
    super.retireBefore(life);
  }

  @Override
  <K> void applyOwn(
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
