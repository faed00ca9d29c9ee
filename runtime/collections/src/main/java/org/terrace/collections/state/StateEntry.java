package org.terrace.collections.state;

import org.terrace.collections.causality.Dot;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * A live entry as it travels or rests in a checkpoint. Immutable.
 *
 * @param store the collection's number
 * @param key the key's bytes
 * @param dot the put that made it
 * @param stamp the hybrid clock's stamp of the put
 * @param expiresMillis when it expires, or {@link Version#NEVER}
 * @param value the value's bytes
 */
public record StateEntry(
    long store, byte[] key, Dot dot, long stamp, long expiresMillis, byte[] value) {
  /** Writes the entry. */
  public void encode(Encoder out) {
    out.putUnsigned(store);
    out.putBytes(key);
    out.putFixedLong(dot.writer());
    out.putUnsigned(dot.sequence());
    out.putFixedLong(stamp);
    out.putUnsigned(expiresMillis);
    out.putBytes(value);
  }

  /** Reads an entry. */
  public static StateEntry decode(Decoder in) {
    return new StateEntry(
        in.getUnsigned(),
        in.getBytes(),
        new Dot(in.getFixedLong(), in.getUnsigned()),
        in.getFixedLong(),
        in.getUnsigned(),
        in.getBytes());
  }
}
