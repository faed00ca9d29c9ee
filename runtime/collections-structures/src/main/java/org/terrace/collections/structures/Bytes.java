package org.terrace.collections.structures;

import java.util.Arrays;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * Bytes compared by content: the keys of a collection that no one has opened here yet. Not to be
 * changed.
 */
public record Bytes(byte[] array) {
  /** The bytes as they are. */
  public static final Codec<Bytes> CODEC =
      new Codec<>() {
        @Override
        public void encode(Bytes value, Encoder out) {
          out.putRaw(value.array, 0, value.array.length);
        }

        @Override
        public Bytes decode(Decoder in) {
          return new Bytes(in.getRaw(in.remaining()));
        }

        @Override
        public boolean isImmutable() {
          return true;
        }
      };

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  @Override
  public String toString() {
    return array.length + " bytes";
  }
}
