package org.terrace.collections.spring.cache;

import java.util.Arrays;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;

/**
 * A key or value in its serialized form; two are equal if their bytes are. Immutable: the bytes are
 * not to be changed.
 *
 * @param bytes none for the value null
 */
record SerializedValue(byte[] bytes) {
  static final SerializedValue NULL = new SerializedValue(new byte[0]);

  static final Codec<SerializedValue> CODEC =
      Codecs.immutable(
          (value, out) -> out.putRaw(value.bytes, 0, value.bytes.length),
          in -> new SerializedValue(in.getRaw(in.remaining())));

  boolean isNull() {
    return bytes.length == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SerializedValue value && Arrays.equals(bytes, value.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
