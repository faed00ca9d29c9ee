package org.terrace.protocols.http2;

import org.terrace.wire.bytes.Bytes;

/**
 * The messages in one direction of a call by gRPC: five bytes with the length before each. Confined
 * to one thread.
 */
final class GrpcMessages {
  private static final int PREFIX_BYTES = 5;

  private final byte[] prefix = new byte[PREFIX_BYTES];
  private int prefixLength;
  private long left;
  private boolean lost;

  /** The next bytes of the call: how many messages begin in them, their lengths included. */
  int accept(byte[] bytes, int from, int to) {
    int begun = 0;
    int at = from;
    while (at < to && !lost) {
      if (left > 0) {
        long count = Math.min(left, to - at);
        left -= count;
        at += (int) count;
      } else {
        prefix[prefixLength++] = bytes[at++];
        if (prefixLength == PREFIX_BYTES) {
          prefixLength = 0;
          left = Bytes.u32(prefix, 1);
          begun++;
        }
      }
    }
    return begun;
  }

  /** Some bytes are missing, so that no more messages can be told. */
  void lose() {
    lost = true;
  }
}
