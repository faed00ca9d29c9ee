package org.terrace.nodes.fault;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The restarts of killed servers, of which each is to be done, or told where the end of the faults
 * comes before it. Thread-safe.
 */
final class Restarts {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Restart(String server, long dueNanos) {}

  private final FaultTargets targets;
  private final FaultJournal journal;
  private final Set<Restart> planned = ConcurrentHashMap.newKeySet();

  Restarts(FaultTargets targets, FaultJournal journal) {
    this.targets = targets;
    this.journal = journal;
  }

  /** The deed that restarts a server, which is planned from now on for that elapsed time. */
  Runnable plan(String server, long dueNanos) {
    Restart restart = new Restart(server, dueNanos);
    planned.add(restart);
    return () -> {
      planned.remove(restart);
      targets.restart(server);
    };
  }

  /** Tells of the restarts that have not begun, and will not. */
  void end(long endNanos) {
    planned.forEach(restart ->
        journal.problem(
            "%s was not started again: that was due %d ms after the end of the faults"
                .formatted(
                    restart.server(),
                    Math.max(0, restart.dueNanos() - endNanos) / NANOS_PER_MILLI)));
    planned.clear();
  }
}
