package org.terrace.collections.structures.messages;

import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * A live entry as it travels or rests in a checkpoint. Immutable.
 *
 * @param store the collection's number
 * @param key the key's bytes
 * @param dot the put that made it
 * @param stamp the hybrid clock's stamp of the put
 * @param expiresMillis when it expires, or 0 for never
 * @param value the value's bytes
 * @param digest of its content, as its writer made it ({@link Fingerprints#ofContent})
 * @param isWriters whether the content is known to be what the put's own writer holds
 */
public record StateEntry(
    long store,
    byte[] key,
    Dot dot,
    long stamp,
    long expiresMillis,
    byte[] value,
    int digest,
    boolean isWriters) {
  /**
   * Whether this is to be what all have under its dot, rather than that other content: the one that
   * the put's writer is known to hold, else, for all to choose the same, that of the greater
   * digest.
   */
  public boolean isPreferredTo(int otherDigest, boolean otherIsWriters) {
    if (digest == otherDigest) {
      return false;
    }
    return isWriters == otherIsWriters ? digest > otherDigest : isWriters;
  }

  /** Writes the entry. */
  public void encode(Encoder out) {
    out.putUnsigned(store);
    out.putBytes(key);
    out.putFixedLong(dot.writer());
    out.putUnsigned(dot.sequence());
    out.putFixedLong(stamp);
    out.putUnsigned(expiresMillis);
    out.putBytes(value);
    out.putUnsigned(Integer.toUnsignedLong(digest) << 1 | (isWriters ? 1 : 0));
  }

  /** Reads an entry. */
  public static StateEntry decode(Decoder in) {
    StateEntry read =
        new StateEntry(
            in.getUnsigned(),
            in.getBytes(),
            new Dot(in.getFixedLong(), in.getUnsigned()),
            in.getFixedLong(),
            in.getUnsigned(),
            in.getBytes(),
            0,
            false);
    long digest = in.getUnsigned();
    return read.with((int) (digest >>> 1), (digest & 1) != 0);
  }

  /** The same, its content being what the put's own writer holds. */
  public StateEntry asWriters() {
    return with(digest, true);
  }

  private StateEntry with(int newDigest, boolean newIsWriters) {
    return new StateEntry(store, key, dot, stamp, expiresMillis, value, newDigest, newIsWriters);
  }
}
