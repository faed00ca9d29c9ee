package org.terrace.collections;

import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.codec.Decoder;

/**
 * A record of the updates that one replica had applied at some moment: a client that takes it
 * along, and has another replica wait for it, reads its own writes there and never reads backwards.
 * A few bytes for each writer. Immutable.
 *
 * @param bytes the token as it travels; copied in and out
 */
public record SessionToken(byte[] bytes) {
  /** Copies the bytes. */
  public SessionToken {
    bytes = bytes.clone();
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  VersionVector toVector() {
    return VersionVector.decode(new Decoder(bytes));
  }

  @Override
  public String toString() {
    return "a session token of " + bytes.length + " bytes";
  }
}
