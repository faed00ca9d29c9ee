package org.terrace.collections.structures;

import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * A member's turn to take an element of a queue. Immutable.
 *
 * @param answer whether it was given one
 * @param element the one it was given, else null
 */
public record Turn(Answer answer, @Nullable Ticket element) {
  /** The answer to a member that asked for an element. */
  public enum Answer {
    /** No answer yet. */
    ASKED,
    /** The element. */
    GIVEN,
    /** The answer that there is none. */
    NONE
  }

  /** A turn that was not answered yet. */
  public static final Turn ASKED = new Turn(Answer.ASKED, null);

  /** A turn for which there is no element. */
  public static final Turn NONE = new Turn(Answer.NONE, null);

  private static final int GIVEN_NUMBER = Answer.GIVEN.ordinal();
  private static final int NONE_NUMBER = Answer.NONE.ordinal();

  /** The codec of turns. */
  public static final Codec<Turn> CODEC = Codecs.immutable(Turn::encode, Turn::decode);

  /** A turn that was given that element. */
  public static Turn given(Ticket element) {
    return new Turn(Answer.GIVEN, element);
  }

  private void encode(Encoder out) {
    out.putByte(answer.ordinal());
    if (element != null) {
      Ticket.CODEC.encode(element, out);
    }
  }

  private static Turn decode(Decoder in) {
    int number = in.getByte();
    if (number == GIVEN_NUMBER) {
      return given(Ticket.CODEC.decode(in));
    }
    return number == NONE_NUMBER ? NONE : ASKED;
  }
}
