package org.terrace.collections.replica;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.terrace.collections.gossip.Message;
import org.terrace.collections.structures.Scratch;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.collections.structures.messages.DeltaSections;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Group;
import org.terrace.groups.VersionedKind;

/**
 * This replica's updates on their way to the others.
 *
 * <p>Updates gather while the last message has not been answered, and leave together as soon as
 * another replica has answered it: a lone writer never waits, and many writers share messages, the
 * more the busier the replicas are. Source: Nagle, "Congestion Control in IP/TCP Internetworks",
 * RFC 896, 1984. What no other replica holds yet is bounded, by making writers wait.
 *
 * <p>Confined to the holder of the replica's lock, but for {@link #awaitRoom}.
 */
final class Outbox {
  /** The most bytes on the way before writers wait: fits the receive buffers of Linux. */
  static final int UNANSWERED_BYTES_MAX = 128 << 10;

  /** The longest time that updates gather, for the case that the answer gets lost. */
  private static final long GATHER_NANOS_MAX = 1_000_000;

  /** The bytes that the updates that follow a first one are expected to take. */
  private static final int EFFECTS_BYTES = 2 << 10;

  private static final int BATCH_OVERHEAD_BYTES = 40;
  private static final long ROOM_WAIT_NANOS = 10_000_000;
  private static final int ROOM_WAITS_MAX = 5;

  /** A message that was sent, and the bytes of updates sent in all up to its end. */
  private record Sent(long sequence, long bytes) {}

  private final Group group;
  private final TimeSource time;
  private final Acknowledgements acknowledgements;
  private final Scratch scratch = new Scratch();
  private final List<byte[]> batch = new ArrayList<>();
  private final Deque<Sent> unanswered = new ArrayDeque<>();
  private int batchBytes;
  private long sentSequence;
  private long sentNanos;
  private long sentBytes;
  private long answeredBytes;
  private volatile boolean full;
  private volatile boolean unresponsive;
  private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

  Outbox(Group group, TimeSource time, Acknowledgements acknowledgements) {
    this.group = group;
    this.time = time;
    this.acknowledgements = acknowledgements;
    this.sentNanos = time.elapsedNanos() - GATHER_NANOS_MAX;
  }

  /** An empty message to fill; whoever asks for one anew overwrites it. */
  Encoder emptyMessage() {
    return scratch.empty();
  }

  /** The last update that has been sent. */
  long sentSequence() {
    return sentSequence;
  }

  /**
   * Sends what has gathered if the update of that many bytes would not fit beside it; but one that
   * travels with the one before it goes along, in a larger message if need be.
   */
  void makeRoomFor(int bytes, Delta.Order order) {
    int room = group.datagramBytesMax() - BATCH_OVERHEAD_BYTES - batchBytes;
    boolean fits =
        switch (order) {
          case ANY -> bytes <= room;
          case AFTER_ALL -> bytes + EFFECTS_BYTES <= room;
          case WITH_PREVIOUS -> true;
        };
    if (!fits) {
      flush();
    }
  }

  void add(byte[] update) {
    batch.add(update);
    batchBytes += update.length + Encoder.unsignedBytes(update.length);
  }

  /** Sends what has gathered, if it need not wait for others to join it. */
  void flushIfDue() {
    if (!batch.isEmpty()
        && (acknowledgements.isAnswered(sentSequence)
            || time.elapsedNanos() - sentNanos >= GATHER_NANOS_MAX)) {
      flush();
    }
  }

  void flush() {
    if (batch.isEmpty()) {
      return;
    }
    Encoder out = scratch.empty();
    out.putByte(Message.DELTAS);
    out.putByte(Message.FLAG_ACKNOWLEDGE);
    DeltaSections sections = new DeltaSections();
    sections.add(group.self().id(), sentSequence + 1, batch);
    sections.encode(out);
    sentSequence += batch.size();
    sentBytes += batchBytes;
    sentNanos = time.elapsedNanos();
    batch.clear();
    batchBytes = 0;
    unanswered.addLast(new Sent(sentSequence, sentBytes));
    VersionedKind.setVersion(out.array(), group.protocol().toAll());
    group.multicast(Group.COLLECTIONS_CHANNEL, out.asBuffer());
    measure();
  }

  /** Takes note of what the others have answered by now. */
  void answered() {
    unresponsive = false;
    measure();
  }

  private void measure() {
    while (!unanswered.isEmpty()
        && acknowledgements.isAnswered(unanswered.peekFirst().sequence())) {
      answeredBytes = unanswered.removeFirst().bytes();
    }
    full = sentBytes - answeredBytes > UNANSWERED_BYTES_MAX;
    for (Thread next = full ? null : waiting.poll(); next != null; next = waiting.poll()) {
      LockSupport.unpark(next);
    }
  }

  /**
   * Waits while too much is on the way, until another replica answers, though not for long: the
   * others may have died, and then nobody is waited for until one is heard again. To be called
   * outside a step.
   */
  void awaitRoom() {
    if (!full || unresponsive) {
      return;
    }
    Thread current = Thread.currentThread();
    waiting.add(current);
    for (int waits = 0; full && waits < ROOM_WAITS_MAX; waits++) {
      LockSupport.parkNanos(this, ROOM_WAIT_NANOS);
    }
    waiting.remove(current);
    unresponsive = full;
  }
}
