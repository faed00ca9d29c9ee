package org.terrace.wire.tcp;

/**
 * A receiver of what both sides of one TCP connection said, each in order. Directions are those of
 * {@link Connection}. Confined to the thread of its reassembler.
 */
public interface Conversation {
  /** The ending of a conversation, after which no more will come. */
  enum Ending {
    /** The two sides finished. */
    CLOSED,
    /** One side reset the connection. */
    RESET,
    /** A new connection took the place of this one, whose end was not seen. */
    REPLACED,
    /** Forgotten after long silence or to stay within memory. */
    EVICTED,
    /** The capture ended. */
    CAPTURE_ENDED
  }

  /**
   * The next bytes of one direction.
   *
   * @param bytes the array in which they lie, valid during the call only
   * @param from the index of the first
   * @param to the index after the last, greater than {@code from}
   * @param moment when their segment was captured; valid during the call only
   */
  void data(int direction, byte[] bytes, int from, int to, Moment moment);

  /** The next bytes of one direction were not captured; only their number is known. */
  void missing(int direction, long byteCount, Moment moment);

  /** One direction will say no more. */
  void finished(int direction, Moment moment);

  /** The conversation has ended: the last call, after which neither direction says more. */
  void end(Ending ending, Moment moment);
}
