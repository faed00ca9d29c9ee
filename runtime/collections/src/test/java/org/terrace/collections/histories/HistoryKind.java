package org.terrace.collections.histories;

import java.util.List;
import java.util.OptionalInt;

/** The kinds of histories beside the plain ones, each with the fault that it can plant. */
public enum HistoryKind {
  LISTS("an element that comes to stand elsewhere"),
  QUEUES("a poll that asks nobody"),
  EXPIRY("a member that judges by its own clock"),
  LIFETIMES("a member that judges entries with a time of their own by its own clock"),
  IDLENESS("a member whose reads count nowhere"),
  BOUNDS("a member that keeps what it tells others to remove"),
  LARGE_VALUES("a large update that is noted and not applied"),
  LISTENERS("a listener's error that shifts the count of updates"),
  LATE_JOINERS("a joiner that leaves out some of the state"),
  CRASH_LOOP("an incarnation with the identity of another"),
  LOST_DISKS("an incarnation without a disk with the identity of another"),
  HOSTILE_DATAGRAMS("a group without keys"),
  DAMAGE("an audit that brings back what was removed meanwhile"),
  ALTERED("an audit that compares dots alone"),
  DESTROYED("a member that destroys before all have heard of it");

  private final String fault;

  HistoryKind(String fault) {
    this.fault = fault;
  }

  /** The fault that it can plant, in words. */
  String fault() {
    return fault;
  }

  private Scenario make(long seed, boolean planted) {
    return switch (this) {
      case LISTS -> new ListScenario(seed, planted);
      case QUEUES -> new QueueScenario(seed, planted);
      case EXPIRY -> new ExpiryScenario(seed, planted);
      case LIFETIMES -> new LifetimeScenario(seed, planted);
      case IDLENESS -> new IdleScenario(seed, planted);
      case BOUNDS -> new BoundScenario(seed, planted);
      case LARGE_VALUES -> new LargeValueScenario(seed, planted);
      case LISTENERS -> new ListenerScenario(seed, planted);
      case LATE_JOINERS -> new LateJoinerScenario(seed, planted);
      case CRASH_LOOP -> new CrashLoopScenario(seed, planted);
      case LOST_DISKS -> new LostDiskScenario(seed, planted);
      case HOSTILE_DATAGRAMS -> new HostileScenario(seed, planted);
      case DAMAGE -> new DamageScenario(seed, planted);
      case ALTERED -> new AlteredScenario(seed, planted);
      case DESTROYED -> new DestroyScenario(seed, planted);
    };
  }

  /** The violations found in the sound history of that seed. */
  List<String> run(long seed) {
    return make(seed, false).run();
  }

  /**
   * The number of histories with the planted fault, from that seed on, until something is found;
   * none if that is more than allowed.
   */
  OptionalInt historiesToFind(long firstSeed, int historiesMax) {
    for (int i = 0; i < historiesMax; i++) {
      try {
        if (!make(firstSeed + i, true).run().isEmpty()) {
          return OptionalInt.of(i + 1);
        }
      } catch (RuntimeException | AssertionError e) {
        return OptionalInt.of(i + 1); // what a fault makes a call throw gives it away as well
      }
    }
    return OptionalInt.empty();
  }
}
