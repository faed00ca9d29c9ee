package org.terrace.collections;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * One update as it travels: in which collection, at which key, which earlier puts it supersedes,
 * and perhaps what it puts. Its own dot is known from where it stands in its message. Immutable.
 *
 * @param store the collection's number
 * @param key the key's bytes
 * @param superseded puts that the writer had seen at the key, and that this one takes away
 * @param stamp the hybrid clock's stamp, 0 if nothing is put
 * @param expiresMillis when what is put expires, or {@link Version#NEVER}
 * @param value the bytes of what is put, or none
 */
record Delta(
    long store,
    byte[] key,
    List<Dot> superseded,
    long stamp,
    long expiresMillis,
    byte @Nullable [] value) {
  private static final int SUPERSEDED_MAX = 65_536;
  private static final int PUT = 1;
  private static final int REMOVE = 0;

  Delta {
    superseded = List.copyOf(superseded);
  }

  /** The update's bytes, made in an empty run that is free again afterwards. */
  byte[] encode(Encoder out) {
    out.putUnsigned(store);
    out.putByte(value == null ? REMOVE : PUT);
    out.putBytes(key);
    putDots(out, superseded);
    if (value != null) {
      out.putFixedLong(stamp);
      out.putUnsigned(expiresMillis);
      out.putRaw(value, 0, value.length);
    }
    return out.toBytes();
  }

  static Delta decode(Decoder in) {
    long store = in.getUnsigned();
    int operation = in.getByte();
    byte[] key = in.getBytes();
    List<Dot> superseded = getDots(in);
    if (operation == REMOVE) {
      return new Delta(store, key, superseded, 0, Version.NEVER, null);
    }
    if (operation != PUT) {
      throw new MalformedDataException("unknown operation " + operation);
    }
    long stamp = in.getFixedLong();
    long expiresMillis = in.getUnsigned();
    return new Delta(store, key, superseded, stamp, expiresMillis, in.getRaw(in.remaining()));
  }

  static void putDots(Encoder out, Collection<Dot> dots) {
    out.putUnsigned(dots.size());
    for (Dot dot : dots) {
      out.putFixedLong(dot.writer());
      out.putUnsigned(dot.sequence());
    }
  }

  static List<Dot> getDots(Decoder in) {
    int count = in.getCount(SUPERSEDED_MAX);
    List<Dot> dots = new ArrayList<>(Math.min(count, 16));
    for (int i = 0; i < count; i++) {
      dots.add(new Dot(in.getFixedLong(), in.getUnsigned()));
    }
    return dots;
  }
}
