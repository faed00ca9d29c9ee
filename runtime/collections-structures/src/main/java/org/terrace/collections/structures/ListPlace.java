package org.terrace.collections.structures;

import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The place that a renumbering of a list gives an element in place of the position with which it
 * came. At the key {@link Position#NONE} it stands for the last renumbering itself, and says
 * between which two places that was, and whether its places are in force. Immutable.
 *
 * @param epoch the renumbering's number, from 1
 * @param place the new place; for the renumbering itself the one before all places that it gave
 * @param from the place before, by which elements find theirs that were inserted before the
 *     renumbering was in force where they came from; {@link Position#NONE} for such an element
 *     itself. For the renumbering itself the place after all, {@link Position#NONE} for the end of
 *     the list
 * @param isOffered whether this stands for a renumbering of which not all are known to have the
 *     places, so that they are not in force yet
 */
public record ListPlace(long epoch, Position place, Position from, boolean isOffered) {
  /** The end of the name of the collection of a list's places, behind the list's name. */
  public static final String STORE_SUFFIX = "\u0000places";

  /** A place as it travels. */
  public static final Codec<ListPlace> CODEC =
      Codecs.immutable(ListPlace::encode, ListPlace::decode);

  private void encode(Encoder out) {
    out.putUnsigned(epoch);
    out.putBytes(Position.CODEC.toBytes(place));
    out.putBytes(Position.CODEC.toBytes(from));
    if (isOffered) {
      out.putByte(1);
    }
  }

  private static ListPlace decode(Decoder in) {
    return new ListPlace(in.getUnsigned(), position(in), position(in), in.remaining() > 0);
  }

  private static Position position(Decoder in) {
    return Position.CODEC.decode(new Decoder(in.getBytes()));
  }

  /** A place that an element is given. */
  public static ListPlace of(long epoch, Position place, Position from) {
    return new ListPlace(epoch, place, from, false);
  }

  /** The same renumbering, in force. */
  public ListPlace inForce() {
    return of(epoch, place, from);
  }

  /** Whether the renumbering for which this stands gave new places to what was at that place. */
  public boolean spans(Position other) {
    return place.compareTo(other) < 0 && (from.isNone() || other.compareTo(from) < 0);
  }
}
