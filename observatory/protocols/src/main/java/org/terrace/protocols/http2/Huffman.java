package org.terrace.protocols.http2;

/**
 * The Huffman code of HPACK (RFC 7541, appendix B). It is canonical, so the lengths of its codes
 * are all of it: codes of one length follow each other in the order of their symbols, and behind
 * them those of the next length. Stateless.
 */
final class Huffman {
  /** {@link #decode}: the bytes are no code. */
  static final int NO_CODE = -1;

  private static final int SYMBOLS = 257;
  private static final int END = 256;
  private static final int SHORTEST = 5;
  private static final int LONGEST = 30;
  private static final int PADDING_BITS_MAX = 7;

  /** The length of each symbol's code, 5 bits as a, 30 bits as z; the end comes last. */
  private static final String LENGTHS =
      "isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhf"
          + "ibccccccccccccccccccccccdcdioijkbabababbbaccbbbabcbaabccccckgjix"
          + "prpprrrsrssssststtrstssssqrsrsstrqprrssqsrrtqrssqqrqsrssprrrsrrs"
          + "vvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvsvwvvwwwwwxwwwwwv"
          + "z";

  /** The symbols by the length of their codes, then by their numbers. */
  private static final short[] ORDERED = new short[SYMBOLS];

  /** Of each length the number of codes. */
  private static final int[] COUNTS = new int[LONGEST + 1];

  static {
    int at = 0;
    for (int length = SHORTEST; length <= LONGEST; length++) {
      for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        if (LENGTHS.charAt(symbol) - 'a' + SHORTEST == length) {
          ORDERED[at++] = (short) symbol;
          COUNTS[length]++;
        }
      }
    }
  }

  private Huffman() {}

  /**
   * Decodes a text as far as there is room.
   *
   * @return how many bytes were put into the array, or {@link #NO_CODE}
   */
  static int decode(byte[] bytes, int from, int to, byte[] into) {
    int count = 0;
    int code = 0;
    int length = 0;
    int first = 0;
    int index = 0;
    boolean ones = true;
    for (int at = from; at < to; at++) {
      for (int bit = 7; bit >= 0; bit--) {
        int value = bytes[at] >> bit & 1;
        code = code << 1 | value;
        ones &= value == 1;
        first <<= 1;
        length++;
        if (length > LONGEST) {
          return NO_CODE;
        }
        int offset = code - first;
        if (offset < COUNTS[length]) {
          int symbol = ORDERED[index + offset];
          if (symbol == END) {
            return NO_CODE;
          }
          if (count < into.length) {
            into[count++] = (byte) symbol;
          }
          code = 0;
          length = 0;
          first = 0;
          index = 0;
          ones = true;
        } else {
          index += COUNTS[length];
          first += COUNTS[length];
        }
      }
    }
    return ones && length <= PADDING_BITS_MAX ? count : NO_CODE;
  }
}
