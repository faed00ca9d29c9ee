package org.terrace.collections.tomcat;

import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.AdmittedSerialization;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;

/** The way in which a registered attribute becomes bytes and is made of them. Thread-safe. */
interface AttributeForm {
  /**
   * The bytes of a value.
   *
   * @throws IllegalArgumentException if it has none of this form
   */
  byte[] encode(Object value);

  /**
   * The value of bytes.
   *
   * @param loader of the application's classes; null for that of this class
   * @throws org.terrace.core.codec.MalformedDataException if they are none of this form
   */
  Object decode(byte[] bytes, @Nullable ClassLoader loader);

  /** Whether values may change after they were set, and are to be followed. */
  boolean isMutable();

  /** The form of a codec. */
  static AttributeForm of(Codec<Object> codec) {
    return new AttributeForm() {
      @Override
      public byte[] encode(Object value) {
        return codec.toBytes(value);
      }

      @Override
      public Object decode(byte[] bytes, @Nullable ClassLoader loader) {
        return codec.decode(new Decoder(bytes));
      }

      @Override
      public boolean isMutable() {
        return !codec.isImmutable();
      }
    };
  }

  /** The form of Java serialization of admitted classes, which is followed. */
  static AttributeForm of(AdmittedSerialization serialization) {
    return new AttributeForm() {
      @Override
      public byte[] encode(Object value) {
        return serialization.encode(value);
      }

      @Override
      public Object decode(byte[] bytes, @Nullable ClassLoader loader) {
        return serialization.decode(bytes, loader);
      }

      @Override
      public boolean isMutable() {
        return true;
      }
    };
  }
}
