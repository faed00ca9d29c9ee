package org.terrace.groups.builtin;

import java.util.concurrent.atomic.LongAdder;
import org.terrace.groups.GroupCounters;

/** Counts of what a group sent, received and dropped. Thread-safe. */
final class Traffic {
  final LongAdder messagesSent = new LongAdder();
  final LongAdder messagesReceived = new LongAdder();
  final LongAdder bytesSent = new LongAdder();
  final LongAdder malformed = new LongAdder();
  final LongAdder forged = new LongAdder();
  final LongAdder replayed = new LongAdder();
  final LongAdder oversized = new LongAdder();
  final LongAdder unknownSender = new LongAdder();
  final LongAdder incompatible = new LongAdder();
  final LongAdder undelivered = new LongAdder();

  GroupCounters counters() {
    return new GroupCounters(
        messagesSent.sum(),
        messagesReceived.sum(),
        bytesSent.sum(),
        malformed.sum(),
        forged.sum(),
        replayed.sum(),
        oversized.sum(),
        unknownSender.sum(),
        incompatible.sum(),
        undelivered.sum());
  }
}
