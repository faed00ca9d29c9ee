package org.terrace.collections.structures;

import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Encoder;

/**
 * A run of bytes that is used again and again, which saves making and growing one for each update.
 * Confined to one thread at a time; whoever asks for it anew overwrites it.
 */
public final class Scratch {
  /** Room beyond this is given back. */
  private static final int BYTES_KEPT_MAX = 64 << 10;

  private Encoder encoder = new Encoder();

  /** The run of bytes, without any. */
  public Encoder empty() {
    if (encoder.array().length > BYTES_KEPT_MAX) {
      encoder = new Encoder();
    }
    encoder.clear();
    return encoder;
  }

  /** The bytes of a value, in an array of their own. */
  public <T> byte[] bytesOf(Codec<T> codec, T value) {
    Encoder out = empty();
    codec.encode(value, out);
    return out.toBytes();
  }
}
