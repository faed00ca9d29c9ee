package org.terrace.proof;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.terrace.core.TimeSource;

/**
 * The time that a campaign takes: told with every line of progress, and bounded, so that one that
 * hangs ends as one that did not hold. Thread-safe.
 */
final class TimeLimit {
  private static final int SECONDS_A_MINUTE = 60;

  private final TimeSource time = TimeSource.system();
  private final long startNanos = time.elapsedNanos();
  private final Consumer<String> out;

  private TimeLimit(Consumer<String> out) {
    this.out = out;
  }

  /**
   * Begins, for as long as the process lives.
   *
   * @param whenOver what ends the campaign; run by a thread of its own
   */
  static TimeLimit begin(Duration limit, Consumer<String> out, Runnable whenOver) {
    TimeLimit begun = new TimeLimit(out);
    Thread.ofPlatform()
        .daemon()
        .name("time-limit")
        .start(() -> {
          try {
            TimeUnit.MILLISECONDS.sleep(limit.toMillis());
            begun.tell("not over after " + limit.toMinutes() + " min: ended, not held");
            whenOver.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return begun;
  }

  /** Tells a line, and how long the campaign has run, as {@code minutes:seconds}. */
  void tell(String line) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(time.elapsedNanos() - startNanos);
    out.accept(
        "%3d:%02d %s".formatted(seconds / SECONDS_A_MINUTE, seconds % SECONDS_A_MINUTE, line));
  }
}
