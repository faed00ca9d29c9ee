package org.terrace.protocols.tls;

import java.nio.ByteBuffer;
import java.util.Comparator;
import org.terrace.wire.bytes.Bytes;

/**
 * The random number of a client, by which a key log names a connection: 32 bytes as four numbers.
 * Immutable.
 */
record ClientRandom(long first, long second, long third, long fourth)
    implements Comparable<ClientRandom> {
  private static final Comparator<ClientRandom> ORDER =
      Comparator.comparingLong(ClientRandom::first)
          .thenComparingLong(ClientRandom::second)
          .thenComparingLong(ClientRandom::third)
          .thenComparingLong(ClientRandom::fourth);

  /** Its length in bytes. */
  static final int LENGTH = 32;

  /** The random number at an offset, behind which there must be 32 bytes. */
  static ClientRandom at(byte[] bytes, int offset) {
    return new ClientRandom(
        Bytes.i64(bytes, offset),
        Bytes.i64(bytes, offset + 8),
        Bytes.i64(bytes, offset + 16),
        Bytes.i64(bytes, offset + 24));
  }

  /** Its bytes. */
  byte[] bytes() {
    return ByteBuffer.allocate(LENGTH)
        .putLong(first)
        .putLong(second)
        .putLong(third)
        .putLong(fourth)
        .array();
  }

  @Override
  public int compareTo(ClientRandom other) {
    return ORDER.compare(this, other);
  }
}
