package org.terrace.collections.jcache;

import org.terrace.core.codec.AdmittedSerialization;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The encoding of a cache's keys or values: Java serialization of admitted classes, so that each
 * reader has an object of its own. Immutable.
 */
final class SerializedCodec<T> implements Codec<T> {
  private final AdmittedSerialization serialization;
  private final ClassLoader loader;

  SerializedCodec(AdmittedSerialization serialization, ClassLoader loader) {
    this.serialization = serialization;
    this.loader = loader;
  }

  @Override
  public void encode(T value, Encoder out) {
    out.putBytes(serialization.encode(value));
  }

  @Override
  public T decode(Decoder in) {
    @SuppressWarnings("unchecked")
    T value = (T) serialization.decode(in.getBytes(), loader);
    return value;
  }

  @Override
  public boolean isImmutable() {
    return false;
  }
}
