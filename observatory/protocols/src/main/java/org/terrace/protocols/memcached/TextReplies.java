package org.terrace.protocols.memcached;

import java.util.List;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.text.Ascii;

/** The lines and values of a Memcached server. Confined to one thread. */
final class TextReplies extends TextStream {
  private static final byte[] VALUE = Ascii.of("VALUE");
  private static final byte[] META_VALUE = Ascii.of("VA");
  private static final byte[] STATISTIC = Ascii.of("STAT");
  private static final byte[] ITEM = Ascii.of("ITEM");
  private static final byte[] BARRIER = Ascii.of("MN");
  private static final List<byte[]> ERRORS =
      List.of(Ascii.of("ERROR"), Ascii.of("CLIENT_ERROR"), Ascii.of("SERVER_ERROR"));
  private static final int VALUE_LENGTH_WORD = 3;

  private final TextDecoder decoder;
  private final LineWords words = new LineWords();
  private boolean more;
  private boolean failed;
  private boolean barrier;

  TextReplies(DecoderContext context, TextDecoder decoder) {
    super(context);
    this.decoder = decoder;
  }

  @Override
  long line(byte[] bytes, int from, int to) {
    words.find(bytes, from, to);
    failed = false;
    for (byte[] error : ERRORS) {
      failed |= words.is(0, error);
    }
    barrier = words.is(0, BARRIER);
    boolean value = words.is(0, VALUE);
    boolean metaValue = words.is(0, META_VALUE);
    more = value || words.is(0, STATISTIC) || words.is(0, ITEM);
    if (value || metaValue) {
      long valueBytes = words.number(value ? VALUE_LENGTH_WORD : 1);
      if (valueBytes < 0) {
        broken(false);
      }
      return valueBytes;
    }
    if (words.count() == 0) {
      broken(false);
    } else {
      valueEnds();
    }
    return NO_VALUE;
  }

  @Override
  void valueEnds() {
    decoder.reply();
  }

  /** Whether more of the same answer follows. */
  boolean hasMore() {
    return more;
  }

  /** Whether it says that a command failed. */
  boolean isError() {
    return failed;
  }

  /** Whether it says that everything before is answered. */
  boolean isBarrier() {
    return barrier;
  }

  @Override
  void broken(boolean byGap) {
    decoder.repliesBroken(byGap);
  }
}
