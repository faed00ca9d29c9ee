package org.terrace.benchmarks.collections;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.collections.peers.SharedMap;
import org.terrace.core.TimeSource;
import org.terrace.load.Latencies;

/**
 * The time from the beginning of a put to the moment at which another server sees its value. The
 * value is the time by the monotonic clock, which processes of one machine share on Linux; the
 * other server looks every {@value #LOOK_NANOS} nanoseconds, as far as its timers can.
 *
 * @param map what is put and seen
 */
record Visibility(SharedMap map) {
  private static final String KEY = "mark";
  private static final String END = "end";
  private static final long LOOK_NANOS = 20_000;
  private static final long PAUSE_NANOS = 3_000_000;
  private static final long WATCH_NANOS_MAX = 60_000_000_000L;
  private static final TimeSource TIME = TimeSource.system();

  /** Puts that many times, with pauses. */
  Map<String, Double> mark(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      map.put(KEY, Long.toString(TIME.elapsedNanos()));
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    map.put(KEY, END);
    return Map.of();
  }

  /** Looks until the end is seen. */
  Map<String, Double> watch() throws Exception {
    Latencies seen = new Latencies();
    String last = "";
    long startNanos = TIME.elapsedNanos();
    while (!last.equals(END)) {
      @Nullable String now = map.get(KEY);
      long nowNanos = TIME.elapsedNanos();
      if (now != null && !now.equals(last)) {
        last = now;
        if (!now.equals(END)) {
          seen.add(nowNanos - Long.parseLong(now));
        }
      } else {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      if (nowNanos - startNanos > WATCH_NANOS_MAX) {
        throw new IllegalStateException("the last put is not visible after a minute");
      }
    }
    TreeMap<String, Double> figures = new TreeMap<>();
    seen.putInto(figures, "visible");
    return figures;
  }
}
