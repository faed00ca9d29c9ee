package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.terrace.nodes.Node;

/**
 * The restarts of killed servers, of which each is to be done and to make its server accept work,
 * or is told. Thread-safe.
 */
final class Restarts {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Restart(String server, long dueNanos) {}

  private final FaultTargets targets;
  private final FaultJournal journal;
  private final Set<Restart> planned = ConcurrentHashMap.newKeySet();
  private final Set<Node> starting = ConcurrentHashMap.newKeySet();

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
      starting.add(targets.node(server));
    };
  }

  private void problem(Node node, String why) {
    if (starting.remove(node)) {
      journal.problem(node.name() + " was started again, but " + why);
    }
  }

  /** Awaits the readiness of a server no more, since it is killed before. */
  void killed(Node node) {
    starting.remove(node);
  }

  /**
   * Tells of the restarts that have not begun, and will not, and of those whose server does not
   * accept work within some time: it is asked now, since a question during the run would count
   * among its requests. An interrupt ends the waiting, and is kept.
   */
  void end(long endNanos, Duration within) {
    planned.forEach(restart ->
        journal.problem(
            "%s was not started again: that was due %d ms after the end of the faults"
                .formatted(
                    restart.server(),
                    Math.max(0, restart.dueNanos() - endNanos) / NANOS_PER_MILLI)));
    planned.clear();
    if (!within.isPositive()) {
      return;
    }
    CompletableFuture<?>[] asked =
        starting.stream()
            .map(node ->
                CompletableFuture.runAsync(() -> awaitReady(node), Thread::startVirtualThread))
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(asked).get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      starting.forEach(node ->
          problem(node, "did not accept work %d ms after the faults".formatted(within.toMillis())));
    } catch (ExecutionException e) {
      throw new IllegalStateException("none is completed so", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitReady(Node node) {
    try {
      node.awaitReady();
      starting.remove(node);
    } catch (RuntimeException e) {
      problem(node, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
