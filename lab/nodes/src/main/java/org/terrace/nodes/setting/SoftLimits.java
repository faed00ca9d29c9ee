package org.terrace.nodes.setting;

import java.util.OptionalInt;

/**
 * The soft limits of an application server: what it takes at once, however much room there is.
 * Immutable; an absent limit leaves the tier's default.
 *
 * @param threads how many requests it works on at once, 1 to {@value #MOST_THREADS}; others wait
 * @param pool how many connections to the database it keeps, 1 to {@value #MOST_CONNECTIONS}
 * @param backlog how many connections may wait to be accepted, 1 to {@value #MOST_BACKLOG}; the
 *     kernel drops what asks for more
 */
public record SoftLimits(OptionalInt threads, OptionalInt pool, OptionalInt backlog) {
  /** The most threads of a server. */
  public static final int MOST_THREADS = 10_000;

  /** The most connections of all application servers to a database together. */
  public static final int MOST_CONNECTIONS = 90;

  /** The most connections that may wait; the kernel's own limit may be lower. */
  public static final int MOST_BACKLOG = 65_535;

  /** No limit. */
  public static final SoftLimits NONE =
      new SoftLimits(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());

  /** These limits, and those of another where these have none. */
  public SoftLimits or(SoftLimits other) {
    return new SoftLimits(
        threads.isPresent() ? threads : other.threads,
        pool.isPresent() ? pool : other.pool,
        backlog.isPresent() ? backlog : other.backlog);
  }
}
