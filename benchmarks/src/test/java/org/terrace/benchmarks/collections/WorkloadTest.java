package org.terrace.benchmarks.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.benchmarks.collections.peers.SharedMap;

@Tag("real-processes")
class WorkloadTest {
  /** A map of this process that counts. */
  private static final class CountingMap implements SharedMap {
    final Map<String, String> entries = new ConcurrentHashMap<>();
    final AtomicLong gets = new AtomicLong();
    final AtomicLong puts = new AtomicLong();

    @Override
    public void put(String key, String value) {
      puts.incrementAndGet();
      entries.put(key, value);
    }

    @Override
    public @Nullable String get(String key) {
      gets.incrementAndGet();
      return entries.get(key);
    }

    @Override
    public void remove(String key) {
      entries.remove(key);
    }

    @Override
    public int members() {
      return 1;
    }
  }

  @Test
  void thinkingClientsReadAsMuchAsTheyWrite() throws Exception {
    CountingMap map = new CountingMap();
    Workload workload = new Workload(map);
    workload.fill();
    map.puts.set(0);

    Map<String, Double> figures = workload.mix("mix", 64, Workload.THINK_NANOS, 0.1, 1);

    assertThat(figures).containsEntry("mix-failures", 0.0);
    assertThat(map.gets.get() + map.puts.get())
        .isEqualTo(figures.get("mix-operations-in-all").longValue());
    assertThat((double) map.gets.get() / (map.gets.get() + map.puts.get()))
        .isCloseTo(0.5, within(0.1));
    assertThat(figures.get("mix-throughput")).isBetween(1.0, 64 / 0.02);
  }

  /** Serves its first client at once, and lets all others wait longer than the load lasts. */
  private static final class UnfairMap implements SharedMap {
    private final AtomicLong served = new AtomicLong();

    @Override
    public void put(String key, String value) {
      long client = Thread.currentThread().threadId();
      boolean isFirst = served.compareAndSet(0, client) || served.get() == client;
      LockSupport.parkNanos(isFirst ? 1_000_000 : 700_000_000);
    }

    @Override
    public String get(String key) {
      put(key, key);
      return key;
    }

    @Override
    public void remove(String key) {
      put(key, key);
    }

    @Override
    public int members() {
      return 1;
    }
  }

  @Test
  void clientsThatWaitAllTheTimeAreCountedAndTheirWaitingToo() throws Exception {
    Map<String, Double> figures = new Workload(new UnfairMap()).mix("x", 8, 0, 0.1, 0.5);

    assertThat(figures).containsEntry("x-starved-clients", 7.0);
    assertThat(figures.get("x-throughput")).isBetween(1.0, 1_000.0);
    assertThat(figures.get("x-p999")).isGreaterThan(600_000);
  }

  @Test
  void putsThatWereAcknowledgedAndAreGoneAreCountedAsLost() throws Exception {
    CountingMap map = new CountingMap();
    var file = java.nio.file.Files.createTempFile("terrace-bench-test", ".bin");
    try {
      var acknowledged = Durability.acknowledged(file);
      acknowledged.put(0, 2);
      map.put("burst-0-1", "here");

      assertThat(new Durability(map).lost(file))
          .containsEntry("acknowledged", 2.0)
          .containsEntry("lost", 1.0);
    } finally {
      java.nio.file.Files.delete(file);
    }
  }
}
