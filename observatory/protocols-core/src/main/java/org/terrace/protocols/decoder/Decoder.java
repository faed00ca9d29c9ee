package org.terrace.protocols.decoder;

import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * A protocol as a step machine: it takes what client and server say, in order and cut anywhere, and
 * gives requests. It holds partial messages only, within named limits, and never fails: bytes that
 * break the protocol make it wait for the next message that does not. Confined to one thread.
 */
public interface Decoder {
  /** The next bytes from the client, in an array that is valid during the call only. */
  void clientData(byte[] bytes, int from, int to, Moment moment);

  /** The next bytes from the server, in an array that is valid during the call only. */
  void serverData(byte[] bytes, int from, int to, Moment moment);

  /** The next bytes from the client were not captured. */
  void clientMissing(long byteCount, Moment moment);

  /** The next bytes from the server were not captured. */
  void serverMissing(long byteCount, Moment moment);

  /** The server will say no more. */
  void serverFinished(Moment moment);

  /**
   * Takes over a request that another protocol carried, and that asked for this one: its answer
   * comes in this protocol. False, and nothing is taken, where the answer to it was the switch.
   */
  default boolean adopts(int requestClass, OpenRequest request) {
    return false;
  }

  /** The conversation is over; the last call. */
  void end(Ending ending, Moment moment);
}
