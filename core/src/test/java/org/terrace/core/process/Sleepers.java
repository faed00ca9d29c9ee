package org.terrace.core.process;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The processes of this JVM's tests that sleep so long that no others have their command line. */
final class Sleepers {
  private static final int PATIENCE_SECONDS = 60;
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final String seconds = Long.toString(200_000 + ProcessHandle.current().pid());

  /** The argument of the command {@code sleep} by which they are found. */
  String seconds() {
    return seconds;
  }

  /** Waits until there is none; false if there is one for too long. */
  boolean allEnd() {
    for (long tries = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) / AGAIN_NANOS;
        tries > 0;
        tries--) {
      if (all().isEmpty()) {
        return true;
      }
      LockSupport.parkNanos(AGAIN_NANOS);
    }
    return false;
  }

  /** Whether there is one. */
  boolean areThere() {
    return !all().isEmpty();
  }

  void kill() {
    all().forEach(ProcessHandle::destroyForcibly);
  }

  private List<ProcessHandle> all() {
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().arguments().map(List::of).orElse(List.of()).equals(List.of(seconds)))
        .toList();
  }
}
