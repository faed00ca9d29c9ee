package org.terrace.collections.structures.messages;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.structures.causality.Dot;
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
 * @param expiresMillis when what is put expires, or 0 for never
 * @param value the bytes of what is put, or none
 * @param order which updates of its writer must have been applied before
 */
public record Delta(
    long store,
    byte[] key,
    List<Dot> superseded,
    long stamp,
    long expiresMillis,
    byte @Nullable [] value,
    Order order) {
  private static final int DOT_BYTES_MIN = Long.BYTES + 1;
  private static final int PUT = 1;
  private static final int ORDER_SHIFT = 1;
  private static final Order[] ORDERS = Order.values();

  /** The updates of its writer that must have been applied before an update. */
  public enum Order {
    /** No update. */
    ANY,
    /** All: it is the first of some that are made as one. */
    AFTER_ALL,
    /** All, and it travels with the one before it. */
    WITH_PREVIOUS
  }

  private static final long NEVER = 0;

  /** Copies the list of dots. */
  public Delta {
    superseded = List.copyOf(superseded);
  }

  /** An update that only takes away. */
  public static Delta removal(long store, byte[] key, List<Dot> superseded, Order order) {
    return new Delta(store, key, superseded, 0, NEVER, null, order);
  }

  /** The update's bytes, made in an empty run that is free again afterwards. */
  public byte[] encode(Encoder out) {
    out.putUnsigned(store);
    out.putByte((value == null ? 0 : PUT) | order.ordinal() << ORDER_SHIFT);
    out.putBytes(key);
    putDots(out, superseded);
    if (value != null) {
      out.putFixedLong(stamp);
      out.putUnsigned(expiresMillis);
      out.putRaw(value, 0, value.length);
    }
    return out.toBytes();
  }

  /**
   * Reads an update.
   *
   * @throws MalformedDataException if the bytes are none
   */
  public static Delta decode(Decoder in) {
    long store = in.getUnsigned();
    int operation = in.getByte();
    if (operation < 0 || operation >> ORDER_SHIFT >= ORDERS.length) {
      throw new MalformedDataException("unknown operation " + operation);
    }
    byte[] key = in.getBytes();
    List<Dot> superseded = getDots(in);
    Order order = ORDERS[operation >> ORDER_SHIFT];
    if ((operation & PUT) == 0) {
      return removal(store, key, superseded, order);
    }
    long stamp = in.getFixedLong();
    long expiresMillis = in.getUnsigned();
    byte[] value = in.getRaw(in.remaining());
    return new Delta(store, key, superseded, stamp, expiresMillis, value, order);
  }

  /** Whether the update of these bytes travels with the one before it. */
  public static boolean isWithPrevious(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    return in.getUnsigned() >= 0 && in.getByte() >> ORDER_SHIFT == Order.WITH_PREVIOUS.ordinal();
  }

  /** Writes dots. */
  public static void putDots(Encoder out, Collection<Dot> dots) {
    out.putUnsigned(dots.size());
    for (Dot dot : dots) {
      out.putFixedLong(dot.writer());
      out.putUnsigned(dot.sequence());
    }
  }

  /** Reads dots. */
  public static List<Dot> getDots(Decoder in) {
    int count = in.getCount(in.remaining() / DOT_BYTES_MIN);
    List<Dot> dots = new ArrayList<>(Math.min(count, 16));
    for (int i = 0; i < count; i++) {
      dots.add(new Dot(in.getFixedLong(), in.getUnsigned()));
    }
    return dots;
  }
}
