package org.terrace.cluster.jdbc.recovery;

import java.time.Duration;
import org.terrace.core.TimeSource;

/**
 * The pauses after failures of something that costs much, each twice as long as the one before.
 * Confined to one thread.
 */
public final class Pause {
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final TimeSource clock;
  private Duration length = SHORTEST;
  private String reason = "";
  private long untilNanos;

  /** No pause yet. */
  public Pause(TimeSource clock) {
    this.clock = clock;
    this.untilNanos = clock.elapsedNanos();
  }

  /** Begins one after a failure. */
  public void begin(String newReason) {
    reason = newReason;
    untilNanos = clock.elapsedNanos() + length.toNanos();
    Duration twice = length.multipliedBy(2);
    length = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
  }

  /** Whether it is too early to try again. */
  public boolean isOn() {
    return untilNanos - clock.elapsedNanos() > 0;
  }

  /** The last failure. */
  public String reason() {
    return reason;
  }
}
