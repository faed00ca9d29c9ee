package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TimeSource;
import org.terrace.core.process.Uninterrupted;

/**
 * The lanes in which servers are struck: one thread for each server, on which its deeds are done
 * one after the other, so that a host that answers late holds up nobody but its own servers.
 * Thread-safe.
 */
final class ServerLanes {
  private final Map<String, ExecutorService> lanes = new ConcurrentHashMap<>();
  private final TimeSource time;

  ServerLanes(TimeSource time) {
    this.time = time;
  }

  /** Queues a task that runs after those that the server has before it, without waiting for it. */
  void run(String server, Runnable deed) {
    lanes
        .computeIfAbsent(
            server,
            name ->
                Executors.newSingleThreadExecutor(
                    Thread.ofVirtual().name("faults of " + name).factory()))
        .execute(deed);
  }

  /** The servers that have had a deed. */
  List<String> servers() {
    return List.copyOf(lanes.keySet());
  }

  /**
   * Takes no more deeds, and waits for those that are there. An interrupt is kept for afterwards:
   * servers that are stopped would stay so.
   *
   * @return the servers whose deeds are not done in that time; they may be done later
   */
  List<String> end(Duration within) {
    long until = time.elapsedNanos() + within.toNanos();
    List<String> late = new ArrayList<>();
    lanes.values().forEach(ExecutorService::shutdown);
    for (Map.Entry<String, ExecutorService> lane : lanes.entrySet()) {
      boolean done =
          Uninterrupted.await(() -> {
            long left = Math.max(0, until - time.elapsedNanos());
            return lane.getValue().awaitTermination(left, TimeUnit.NANOSECONDS);
          });
      if (!done) {
        late.add(lane.getKey());
      }
    }
    return late;
  }
}
