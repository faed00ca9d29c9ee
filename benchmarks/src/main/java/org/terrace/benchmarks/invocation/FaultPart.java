package org.terrace.benchmarks.invocation;

import java.util.List;
import java.util.stream.Stream;
import org.terrace.benchmarks.OnlyFlag;

/** A part of what is measured of faults, as users pick it by {@code --only}. */
enum FaultPart {
  /** The next call after the primary was killed between two calls. */
  CRASH_IDLE,
  /** The call under way when the primary is killed, and the floor of that. */
  CRASH_IN_FLIGHT,
  /** The next call after the primary was stopped. */
  HANG,
  /** The longest call when one of two active replicas is killed. */
  ACTIVE,
  /** The time until two replicas stand again. */
  REDUNDANCY,
  /** Calls whose primary is stopped inside their transactions. */
  STANDSTILL,
  /** The count of effects beside acknowledgements. */
  AUDIT;

  /** All of them. */
  static final String ALL = "faults";

  /** The names by which they are picked. */
  static List<String> names() {
    return Stream.concat(Stream.of(ALL), Stream.of(values()).map(OnlyFlag::name)).toList();
  }

  boolean isAmong(List<String> picked) {
    return picked.contains(ALL) || picked.contains(OnlyFlag.name(this));
  }
}
