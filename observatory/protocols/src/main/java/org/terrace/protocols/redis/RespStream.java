package org.terrace.protocols.redis;

import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.text.Ascii;
import org.terrace.protocols.text.LineBuffer;
import org.terrace.wire.tcp.Moment;

/**
 * One direction of a Redis connection as messages of RESP2 and RESP3, whatever they nest. Of a
 * message only its kind, its first words and its last number are kept; texts of any size are passed
 * over. Confined to one thread.
 *
 * <p>Nesting needs no stack: an aggregate of n elements stands for one element and adds n, and the
 * message ends when none is left.
 */
abstract class RespStream {
  /** Words at the beginning of a message that are kept, up to what says that a command waits. */
  static final int WORDS = 8;

  /** A word is kept up to this length. */
  static final int WORD_BYTES_MAX = 24;

  private static final int LENGTH_DIGITS_MAX = 18;
  private static final long ELEMENTS_MAX = 1L << 60;
  private static final int LINE_END_BYTES = 2;

  final DecoderContext context;
  private final LineBuffer line;
  private final byte[] words = new byte[WORDS * WORD_BYTES_MAX];
  private final int[] wordLengths = new int[WORDS];
  private int wordCount;
  private int word = WORDS;
  private boolean lost;
  private int first;
  private int kind;
  private long elements;

  /** Elements left of attributes, which stand before what they tell of and are not part of it. */
  private long attributeElements;

  private long textLeft;
  private boolean inText;
  private long size;
  private long number;
  private long messageBytes;
  private long startNanos;
  private long startFrame;
  private long lastNanos;
  private long lastFrame;

  RespStream(DecoderContext context) {
    this.context = context;
    line = new LineBuffer(context.memory);
  }

  /** Whether a message may begin with this line of plain words, and is that line alone. */
  abstract boolean isPlain(byte[] bytes, int from, int to);

  /** Whether a message may begin with an element of this kind. */
  abstract boolean mayBegin(int type);

  /** A message is complete. */
  abstract void message();

  /** The stream breaks the protocol, or too much of it is missing; it must be lost. */
  abstract void broken(boolean byGap);

  /** Takes the next bytes. */
  final void accept(byte[] bytes, int from, int to, Moment moment) {
    seen(moment);
    int at = from;
    while (at < to && !lost) {
      if (inText) {
        int count = (int) Math.min(textLeft, to - at);
        keep(bytes, at, count);
        messageBytes += count;
        at += count;
        textLeft -= count;
        if (textLeft == 0) {
          textEnds();
        }
      } else {
        at = acceptLine(bytes, at, to, moment);
      }
    }
  }

  private int acceptLine(byte[] bytes, int at, int to, Moment moment) {
    if (isBetweenMessages()) {
      startNanos = moment.timeNanos();
      startFrame = moment.frame();
      first = bytes[at];
      messageBytes = 0;
      wordCount = 0;
      size = 1;
      number = 0;
    }
    int behind = line.take(bytes, at, to);
    if (behind == LineBuffer.TOO_LONG) {
      broken(false);
      return to;
    }
    int end = behind == LineBuffer.CUT ? to : behind;
    messageBytes += end - at;
    if (behind != LineBuffer.CUT) {
      wholeLine(line.bytes(), line.from(), line.to());
    }
    return end;
  }

  private void seen(Moment moment) {
    if (moment.timeNanos() >= lastNanos) {
      lastNanos = moment.timeNanos();
      lastFrame = moment.frame();
    }
  }

  private void wholeLine(byte[] bytes, int from, int to) {
    boolean first = elements == 0 && attributeElements == 0 && kind == 0;
    if (first && isPlain(bytes, from, to)) {
      kind = RespKind.PLAIN;
      elements = 1;
      plain(bytes, from, to);
      elementEnds();
      return;
    }
    if (from == to) {
      broken(false);
      return;
    }
    int type = bytes[from];
    if (kind == 0 && attributeElements == 0) {
      if (!mayBegin(type)) {
        broken(false);
        return;
      }
      if (type != RespKind.ATTRIBUTE) {
        kind = type;
        elements = 1;
      }
    }
    element(type, bytes, from + 1, to);
  }

  /** Keeps the words of a line. */
  private void plain(byte[] bytes, int from, int to) {
    size = 0;
    int at = from;
    while (at < to) {
      int end = at;
      while (end < to && bytes[end] != ' ') {
        end++;
      }
      if (end > at) {
        startWord();
        keep(bytes, at, end - at);
        size++;
      }
      at = end + 1;
    }
  }

  private void element(int type, byte[] bytes, int from, int to) {
    switch (type) {
      case RespKind.TEXT, RespKind.BULK_ERROR, RespKind.VERBATIM -> {
        long length = length(bytes, from, to);
        if (length >= 0) {
          startWord();
          inText = true;
          textLeft = length + LINE_END_BYTES;
        } else if (length == RespKind.NULL) {
          elementEnds();
        } else {
          broken(false);
        }
      }
      case RespKind.ARRAY, RespKind.SET, RespKind.PUSH -> aggregate(length(bytes, from, to));
      case RespKind.MAP -> aggregate(pairs(length(bytes, from, to)));
      case RespKind.ATTRIBUTE -> attribute(pairs(length(bytes, from, to)));
      case RespKind.NUMBER -> {
        number = Ascii.decimal(bytes, from, to, LENGTH_DIGITS_MAX);
        elementEnds();
      }
      case RespKind.STATUS, RespKind.ERROR -> {
        startWord();
        keep(bytes, from, to - from);
        elementEnds();
      }
      case RespKind.NOTHING, RespKind.BOOLEAN, RespKind.DOUBLE, RespKind.BIG_NUMBER ->
          elementEnds();
      default -> broken(false);
    }
  }

  private static long pairs(long length) {
    return length > 0 ? 2 * length : length;
  }

  /** A length; -1 is null's, -2 is none. */
  private static long length(byte[] bytes, int from, int to) {
    if (to - from == 2 && bytes[from] == '-' && bytes[from + 1] == '1') {
      return RespKind.NULL;
    }
    long length = Ascii.decimal(bytes, from, to, LENGTH_DIGITS_MAX);
    return length < 0 ? RespKind.NO_LENGTH : length;
  }

  private void aggregate(long length) {
    if (length == RespKind.NO_LENGTH || length > ELEMENTS_MAX - elements - attributeElements) {
      broken(false);
      return;
    }
    long added = Math.max(0, length);
    if (attributeElements == 0 && elements == 1 && wordCount == 0) {
      size = added;
    }
    if (attributeElements > 0) {
      attributeElements += added;
    } else {
      elements += added;
    }
    elementEnds();
  }

  private void attribute(long length) {
    if (length < 0 || length > ELEMENTS_MAX - elements - attributeElements) {
      broken(false);
      return;
    }
    attributeElements += length;
  }

  private void startWord() {
    word = attributeElements > 0 ? WORDS : wordCount;
    if (word < WORDS) {
      wordLengths[word] = 0;
      wordCount++;
    }
  }

  private void keep(byte[] bytes, int at, int count) {
    if (word == WORDS) {
      return;
    }
    int length = wordLengths[word];
    int left = inText ? (int) Math.min(count, Math.max(0, textLeft - LINE_END_BYTES)) : count;
    int taken = Math.min(left, WORD_BYTES_MAX - length);
    System.arraycopy(bytes, at, words, word * WORD_BYTES_MAX + length, taken);
    wordLengths[word] = length + taken;
  }

  private void textEnds() {
    inText = false;
    elementEnds();
  }

  private void elementEnds() {
    if (attributeElements > 0) {
      attributeElements--;
      return;
    }
    elements--;
    if (elements == 0) {
      line.release();
      message();
      kind = 0;
    }
  }

  /** The next bytes were not captured. */
  final void missing(long byteCount, Moment moment) {
    seen(moment);
    if (lost) {
      return;
    }
    if (inText && byteCount <= textLeft) {
      word = WORDS;
      messageBytes += byteCount;
      textLeft -= byteCount;
      if (textLeft == 0) {
        textEnds();
      }
    } else {
      broken(true);
    }
  }

  /** Whether the stream stands between two messages. */
  final boolean isBetweenMessages() {
    return kind == 0 && elements == 0 && attributeElements == 0 && !line.isPartial();
  }

  /** Whether it waits for something that tells where messages begin. */
  final boolean isLost() {
    return lost;
  }

  /** Waits for something that tells where messages begin. */
  final void lose() {
    reset(true);
  }

  /** Messages begin with the next byte. */
  final void found() {
    reset(false);
  }

  private void reset(boolean nowLost) {
    lost = nowLost;
    kind = 0;
    elements = 0;
    attributeElements = 0;
    inText = false;
    word = WORDS;
    line.clear();
    line.release();
  }

  /** Gives back the memory; the last call. */
  final void release() {
    line.release();
  }

  /** The kind of the message, a {@link RespKind}. */
  final int kind() {
    return kind;
  }

  /** The first byte of the message, of which the rest may be missing. */
  final int first() {
    return first;
  }

  /** The last number within the message, 0 if there was none. */
  final long number() {
    return number;
  }

  /** The elements of the message if it is an aggregate, else 1. */
  final long size() {
    return size;
  }

  final long messageBytes() {
    return messageBytes;
  }

  final long startNanos() {
    return startNanos;
  }

  final long startFrame() {
    return startFrame;
  }

  final long lastNanos() {
    return lastNanos;
  }

  final long lastFrame() {
    return lastFrame;
  }

  /** The number of words, {@value #WORDS} at most. */
  final int wordCount() {
    return wordCount;
  }

  /** The array of the words. */
  final byte[] words() {
    return words;
  }

  /** The index of a word's first byte. */
  final int wordFrom(int index) {
    return index * WORD_BYTES_MAX;
  }

  /** The index behind a word's last byte, or the last one kept. */
  final int wordTo(int index) {
    return index * WORD_BYTES_MAX + wordLengths[index];
  }

  /** Whether a word is this one, in capital or small letters. */
  final boolean isWord(int index, String capitals) {
    if (index >= wordCount || wordLengths[index] != capitals.length()) {
      return false;
    }
    for (int i = 0; i < capitals.length(); i++) {
      int c = words[wordFrom(index) + i];
      if ((c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c) != capitals.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
