package org.terrace.groups;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * A process's place in a group: who else is alive, and how to reach them.
 *
 * <p>Messages are best effort: each may be lost, duplicated, delayed and reordered, whatever its
 * size; it is never damaged, never mixed with another, never comes from outside the group, and what
 * was sent to one incarnation of a process never reaches a later one. What fits a datagram ({@link
 * #datagramBytesMax()}) travels as one; larger ones take a connection. Whoever needs more repairs
 * it end to end, as {@code org.terrace.collections} does.
 *
 * <p>Thread-safe. Handlers are called from the group's own threads, several at a time, and must not
 * block; {@link #send} and {@link #multicast} never call a handler before they return.
 */
public interface Group extends AutoCloseable {
  /** Number of channels: 0 is the group's own. */
  int CHANNELS = 8;

  /** The channel of the replicated collections. */
  int COLLECTIONS_CHANNEL = 1;

  /** The channel of replicated invocation. */
  int INVOCATION_CHANNEL = 2;

  /** The channel of the group membership service. */
  int SERVICES_CHANNEL = 3;

  /**
   * The latest version of what processes of a group say to each other (membership, collections,
   * services) that this build understands. It is raised with each change that a process of the
   * version before would misunderstand; 1 was never told apart from others. Members that understand
   * a common version speak it with each other; others refuse each other and say so.
   */
  int PROTOCOL_VERSION = 4;

  /** The earliest version of the protocol that this build understands. */
  int PROTOCOL_VERSION_LEAST = 3;

  /** Largest message, in bytes. */
  int MESSAGE_BYTES_MAX = 8 << 20;

  /** The member that is this process. */
  Member self();

  /** The members that are in the group now. */
  View view();

  /** The largest message that travels as one datagram, in bytes. */
  int datagramBytesMax();

  /**
   * Sends a message to one member.
   *
   * @param channel 1 to {@link #CHANNELS} - 1
   * @param message its bytes from position to limit, which are read before this returns
   */
  void send(Member to, int channel, ByteBuffer message);

  /** Sends a message to every other member. */
  void multicast(int channel, ByteBuffer message);

  /** Sets what is done with the messages of a channel; at most one handler a channel. */
  void subscribe(int channel, MessageHandler handler);

  /** Adds what is done with views: called with the present one at once, then with each new one. */
  void watch(ViewHandler handler);

  /** Runs the task on the group's timer thread with the given pause in between, until closed. */
  void every(Duration period, Runnable task);

  /**
   * The reason why the others do not count this member as one of them any more, if they have said
   * so: a later incarnation of its process has taken its place, or it has started with an earlier
   * clock than one before, or the others understand no version of the protocol that it speaks. It
   * stays so: the group is to be closed, and the process to end or to open another. What such a
   * member sends is lost.
   */
  default Optional<String> exclusion() {
    return Optional.empty();
  }

  /**
   * The versions in which this member speaks to the others now; they change with the view, before
   * it is told of, and when more is heard of a member. A group whose members do not tell each other
   * what they understand speaks {@link #PROTOCOL_VERSION_LEAST}.
   */
  default ProtocolAgreement protocol() {
    return ProtocolAgreement.none();
  }

  /** The counts of all that was sent, received and dropped so far. */
  GroupCounters counters();

  /** Says goodbye and leaves; does nothing the second time. */
  @Override
  void close();

  /** A receiver of messages. */
  @FunctionalInterface
  interface MessageHandler {
    /**
     * Takes one message.
     *
     * @param message its bytes from position to limit, valid only until this returns
     */
    void receive(Member from, ByteBuffer message);
  }

  /** A receiver of views. */
  @FunctionalInterface
  interface ViewHandler {
    /** Takes one view; the views of one group come one after another, in order. */
    void changed(View view);
  }
}
