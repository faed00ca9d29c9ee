package org.terrace.groups.jgroups;

import java.util.concurrent.atomic.LongAdder;
import org.terrace.groups.GroupCounters;

/**
 * Counts of what a member sent, received and dropped. Forged, repeated and oversized packets are
 * the stack's to drop, and are not seen here. Thread-safe.
 */
final class Counts {
  final LongAdder messagesSent = new LongAdder();
  final LongAdder messagesReceived = new LongAdder();
  final LongAdder bytesSent = new LongAdder();
  final LongAdder malformed = new LongAdder();
  final LongAdder unknownSender = new LongAdder();
  final LongAdder undelivered = new LongAdder();

  GroupCounters toCounters() {
    return new GroupCounters(
        messagesSent.sum(),
        messagesReceived.sum(),
        bytesSent.sum(),
        malformed.sum(),
        0,
        0,
        0,
        unknownSender.sum(),
        0,
        undelivered.sum());
  }
}
