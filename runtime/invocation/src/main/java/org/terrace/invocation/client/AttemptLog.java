package org.terrace.invocation.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.terrace.invocation.CallRecord;

/** The last calls of a client. Thread-safe. */
final class AttemptLog {
  private final int size;

  @GuardedBy("this")
  private final Deque<CallRecord> last;

  AttemptLog(int size) {
    this.size = size;
    last = new ArrayDeque<>(Math.min(size, 1_024));
  }

  synchronized void add(CallRecord record) {
    if (size == 0) {
      return;
    }
    if (last.size() == size) {
      last.removeFirst();
    }
    last.addLast(record);
  }

  synchronized List<CallRecord> records() {
    return List.copyOf(last);
  }
}
