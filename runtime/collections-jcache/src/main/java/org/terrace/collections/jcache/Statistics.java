package org.terrace.collections.jcache;

import java.util.concurrent.atomic.LongAdder;
import javax.cache.management.CacheStatisticsMXBean;
import org.terrace.core.TimeSource;

/** The counts of one cache at this member, kept while they are asked for. Thread-safe. */
final class Statistics implements CacheStatisticsMXBean {
  private static final float PERCENT = 100;
  private static final float NANOS_PER_MICRO = 1_000;

  private final TimeSource time = TimeSource.system();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder removals = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private final LongAdder getNanos = new LongAdder();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder removalNanos = new LongAdder();
  private volatile boolean enabled;

  void enable(boolean newEnabled) {
    enabled = newEnabled;
  }

  /** The time at which a call begins. */
  long start() {
    return enabled ? time.elapsedNanos() : 0;
  }

  void read(boolean hit, long startNanos) {
    if (enabled) {
      (hit ? hits : misses).increment();
      getNanos.add(time.elapsedNanos() - startNanos);
    }
  }

  void put(long startNanos) {
    if (enabled) {
      puts.increment();
      putNanos.add(time.elapsedNanos() - startNanos);
    }
  }

  void removed(long startNanos) {
    if (enabled) {
      removals.increment();
      removalNanos.add(time.elapsedNanos() - startNanos);
    }
  }

  @Override
  public void clear() {
    for (LongAdder each :
        new LongAdder[] {
          hits, misses, puts, removals, evictions, getNanos, putNanos, removalNanos
        }) {
      each.reset();
    }
  }

  @Override
  public long getCacheHits() {
    return hits.sum();
  }

  @Override
  public float getCacheHitPercentage() {
    return share(hits);
  }

  @Override
  public long getCacheMisses() {
    return misses.sum();
  }

  @Override
  public float getCacheMissPercentage() {
    return share(misses);
  }

  private float share(LongAdder part) {
    long gets = getCacheGets();
    return gets == 0 ? 0 : PERCENT * part.sum() / gets;
  }

  @Override
  public long getCacheGets() {
    return hits.sum() + misses.sum();
  }

  @Override
  public long getCachePuts() {
    return puts.sum();
  }

  @Override
  public long getCacheRemovals() {
    return removals.sum();
  }

  @Override
  public long getCacheEvictions() {
    return evictions.sum();
  }

  @Override
  public float getAverageGetTime() {
    return averageMicros(getNanos, getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return averageMicros(putNanos, puts.sum());
  }

  @Override
  public float getAverageRemoveTime() {
    return averageMicros(removalNanos, removals.sum());
  }

  private static float averageMicros(LongAdder nanos, long count) {
    return count == 0 ? 0 : nanos.sum() / NANOS_PER_MICRO / count;
  }
}
