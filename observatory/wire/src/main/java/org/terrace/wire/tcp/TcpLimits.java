package org.terrace.wire.tcp;

/**
 * The bounds of what reassembly may keep. Immutable.
 *
 * @param connectionsMax connections remembered at once, at least 1
 * @param streamBufferBytesMax bytes held for one direction of a connection until a gap before them
 *     is filled
 * @param bufferBytesMax such bytes of all connections
 * @param idleNanosMax the silence after which a connection is forgotten
 */
public record TcpLimits(
    int connectionsMax, long streamBufferBytesMax, long bufferBytesMax, long idleNanosMax) {
  /** Checks that the limits leave room to work. */
  public TcpLimits {
    if (connectionsMax < 1 || streamBufferBytesMax < 0 || bufferBytesMax < 0 || idleNanosMax < 0) {
      throw new IllegalArgumentException("a limit is negative, or no connection is allowed");
    }
  }
}
