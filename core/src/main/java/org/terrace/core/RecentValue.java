package org.terrace.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that changes by itself and is not to be asked for at each reading: its source is asked
 * when the last answer is of a certain age, by one reader at a time. A source that throws is asked
 * again by the next. Thread-safe.
 *
 * @param <T> the value
 */
public final class RecentValue<T> implements Supplier<T> {
  /** A tenth of a second, which is no age for whoever reads once a second. */
  public static final long METRICS_NANOS = 100_000_000;

  private final Supplier<T> source;
  private final TimeSource time;
  private final long ageNanosMax;

  @GuardedBy("this")
  private @Nullable T value;

  @GuardedBy("this")
  private long askedNanos;

  /**
   * A value that was not asked for yet.
   *
   * @param ageNanosMax the age from which on an answer is given no more, above 0
   */
  public RecentValue(Supplier<T> source, TimeSource time, long ageNanosMax) {
    this.source = source;
    this.time = time;
    this.ageNanosMax = ageNanosMax;
  }

  @Override
  public synchronized T get() {
    T known = value;
    if (known == null || time.elapsedNanos() - askedNanos >= ageNanosMax) {
      value = null;
      long now = time.elapsedNanos();
      known = source.get();
      askedNanos = now;
      value = known;
    }
    return known;
  }
}
