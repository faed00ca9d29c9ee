package org.terrace.collections.structures;

import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The time until which one entry of a map lives, where that is not what its put says: since it is
 * used, or was given another. Immutable.
 *
 * @param writer the incarnation that put the entry
 * @param sequence the put's number among those of its writer
 * @param idleMillis how long the entry lives after a use; 0 if uses do not count
 * @param limitMillis when it is over however much it is used, in milliseconds since 1970; 0 for
 *     never
 * @param deadlineMillis when it is over unless it is used again; 0 for never
 */
public record EntryUse(
    long writer, long sequence, long idleMillis, long limitMillis, long deadlineMillis) {
  /** The end of the name of the collection of a map's uses, behind the map's name. */
  public static final String STORE_SUFFIX = "\u0000uses";

  /** A use as it travels. */
  public static final Codec<EntryUse> CODEC = Codecs.immutable(EntryUse::encode, EntryUse::decode);

  private static final long NEVER = 0;

  private void encode(Encoder out) {
    out.putFixedLong(writer);
    out.putUnsigned(sequence);
    out.putUnsigned(idleMillis);
    out.putUnsigned(limitMillis);
    out.putUnsigned(deadlineMillis);
  }

  private static EntryUse decode(Decoder in) {
    return new EntryUse(
        in.getFixedLong(), in.getUnsigned(), in.getUnsigned(), in.getUnsigned(), in.getUnsigned());
  }

  /** Whether it is about the entry of that put. */
  public boolean isOf(long otherWriter, long otherSequence) {
    return writer == otherWriter && sequence == otherSequence;
  }

  /** Whether the entry lives longer by this than by the other. */
  public boolean isLaterThan(EntryUse other) {
    return later(deadlineMillis, other.deadlineMillis) != other.deadlineMillis;
  }

  /** The earlier of two times, of which 0 is never. */
  public static long earlier(long one, long other) {
    if (one == NEVER || other == NEVER) {
      return Math.max(one, other);
    }
    return Math.min(one, other);
  }

  /** The later of two times, of which 0 is never. */
  public static long later(long one, long other) {
    return one == NEVER || other == NEVER ? NEVER : Math.max(one, other);
  }
}
