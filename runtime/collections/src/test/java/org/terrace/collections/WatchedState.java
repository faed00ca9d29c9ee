package org.terrace.collections;

/** A state that tells its cluster what was known of each life when it was found to be over. */
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
    // What a replica alone knew of itself is lost with its checkpoints.
    if (applied().roster().latestLives().size() > 1) {
      retired.add(applied().before(life));
    }
    super.retireBefore(life);
  }
}
