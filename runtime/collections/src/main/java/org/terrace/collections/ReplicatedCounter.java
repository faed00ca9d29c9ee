package org.terrace.collections;

/** One counter, as {@link ReplicatedCounters} has many. Thread-safe. */
public final class ReplicatedCounter {
  private static final String KEY = "";

  private final ReplicatedCounters<String> counters;

  ReplicatedCounter(ReplicatedCounters<String> counters) {
    this.counters = counters;
  }

  /** The counter's value. */
  public long get() {
    return counters.get(KEY);
  }

  /** Adds to the counter, and waits as its level asks; the amount may be negative. */
  public void add(long amount) {
    counters.add(KEY, amount);
  }

  @Override
  public String toString() {
    return Long.toString(get());
  }
}
