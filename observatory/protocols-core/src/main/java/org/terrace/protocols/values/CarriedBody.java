package org.terrace.protocols.values;

import org.terrace.protocols.text.Ascii;
import org.terrace.protocols.text.MemoryBudget;

/**
 * The beginning of a request's body, as far as values are looked for in it: of a form or of JSON,
 * up to the first byte that was not captured. Holds memory only from such a body's first byte to
 * its last. Confined to one thread.
 */
public final class CarriedBody {
  private enum Kind {
    NONE,
    FORM,
    JSON
  }

  private static final byte[] CONTENT_TYPE = Ascii.of("content-type");
  private static final byte[] CONTENT_ENCODING = Ascii.of("content-encoding");
  private static final byte[] FORM = Ascii.of("application/x-www-form-urlencoded");
  private static final byte[] APPLICATION = Ascii.of("application/");
  private static final byte[] JSON = Ascii.of("json");
  private static final byte[] NOTHING = {};

  private final MemoryBudget memory;
  private Kind kind = Kind.NONE;
  private boolean packed;

  /** Whether more of the body follows than is kept. */
  private boolean cut;

  private byte[] kept = NOTHING;
  private int length;

  /** A body of which nothing is known yet. */
  public CarriedBody(MemoryBudget memory) {
    this.memory = memory;
  }

  /** A message begins, of which nothing is known. */
  public void begin() {
    kind = Kind.NONE;
    packed = false;
    cut = false;
    length = 0;
  }

  /** Reads a header whose name begins with a C, which may say what the body is. */
  public void header(byte[] bytes, int from, int to) {
    int value = Ascii.headerValue(bytes, from, to, CONTENT_TYPE);
    if (value >= 0) {
      kind = kindOf(bytes, value, to);
    } else {
      packed |= Ascii.headerValue(bytes, from, to, CONTENT_ENCODING) >= 0;
    }
  }

  private static Kind kindOf(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && bytes[end] != ';') {
      end++;
    }
    if (Ascii.startsWithIgnoringCase(bytes, from, end, FORM)) {
      return Kind.FORM;
    }
    boolean json =
        Ascii.startsWithIgnoringCase(bytes, from, end, APPLICATION)
            && Ascii.endsWithIgnoringCase(bytes, from, end, JSON);
    return json ? Kind.JSON : Kind.NONE;
  }

  /** Takes bytes of the body. */
  public void take(byte[] bytes, int from, int count) {
    if (kind == Kind.NONE || packed || cut) {
      return;
    }
    if (kept.length == 0) {
      if (!memory.take(CarriedValues.BYTES_MAX)) {
        kind = Kind.NONE;
        return;
      }
      kept = new byte[CarriedValues.BYTES_MAX];
    }
    int taken = Math.min(count, kept.length - length);
    System.arraycopy(bytes, from, kept, length, taken);
    length += taken;
    cut = taken < count;
  }

  /** Says that bytes of the body were not captured: what is behind them is not looked at. */
  public void cut() {
    cut = true;
  }

  /** Says whether the body is packed, whatever the headers of its content tell. */
  public void packed(boolean is) {
    packed |= is;
  }

  /** A sketch with the values of what was taken added, which is then forgotten. */
  public long takeTo(long sketch) {
    int end = cut ? CarriedValues.endOfWhole(kept, 0, length) : length;
    long result =
        switch (kind) {
          case NONE -> sketch;
          case FORM -> CarriedValues.ofForm(sketch, kept, 0, end);
          case JSON -> CarriedValues.ofJson(sketch, kept, 0, end, !cut);
        };
    release();
    return result;
  }

  /** Forgets the body and gives back its memory. */
  public void release() {
    memory.giveBack(kept.length);
    kept = NOTHING;
    begin();
  }
}
