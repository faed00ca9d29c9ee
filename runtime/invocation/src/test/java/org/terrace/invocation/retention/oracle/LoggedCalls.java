package org.terrace.invocation.retention.oracle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.terrace.testing.Await;

/**
 * The calls that go by between two faults: one that strikes before any call was answered tests
 * nothing. Confined to one thread.
 */
final class LoggedCalls {
  private static final int BETWEEN_FAULTS = 10;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final LoggedReplies replies = new LoggedReplies();
  private long struckAt;

  /** Lets some calls be answered since the last time, however slow the machine is. */
  void awaitSome(List<Path> logs) {
    long enough = struckAt + BETWEEN_FAULTS;
    boolean there = Await.until(LONGEST_WAIT, () -> replies.count(logs) >= enough);
    struckAt = replies.count(logs);
    assert !there || struckAt >= enough;
  }
}
