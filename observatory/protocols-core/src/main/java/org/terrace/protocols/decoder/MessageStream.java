package org.terrace.protocols.decoder;

import java.util.Arrays;
import org.terrace.wire.tcp.Moment;

/**
 * One direction of a connection as messages: a header of fixed length, which tells the length of
 * the body behind it. Messages are read where they lie; of one that is cut by the end of its
 * segment only what matters is copied. Confined to one thread.
 */
public abstract class MessageStream {
  /** The part of a message that is kept at most when it does not lie in one segment. */
  public static final int KEPT_BYTES_MAX = 64 << 10;

  /** {@link #header}: there is no such message. */
  protected static final long NO_MESSAGE = -1;

  private static final byte[] NOTHING = {};

  /** The state that all decoders share. */
  protected final DecoderContext context;

  /** Whether it waits for something that tells where messages begin. */
  protected boolean lost;

  /** The time of the latest bytes. */
  protected long lastNanos;

  /** The frame of the latest bytes. */
  protected long lastFrame;

  /** The time at which the message that is being read began. */
  protected long startNanos;

  /** The frame in which the message that is being read began. */
  protected long startFrame;

  private final byte[] header;
  private int headerLength;
  private boolean inBody;
  private long remaining;
  private byte[] kept = NOTHING;
  private int keptLength;
  private int keptMax;

  /**
   * A stream that begins with a message.
   *
   * @param headerBytes the length of the header of a message
   */
  protected MessageStream(DecoderContext context, int headerBytes) {
    this.context = context;
    header = new byte[headerBytes];
  }

  /** Reads the header of a message: the length of its body, or {@link #NO_MESSAGE}. */
  protected abstract long header(byte[] bytes, int at);

  /** The number of bytes of the body that matter, of the message whose header was read last. */
  protected abstract int bytesThatMatter();

  /**
   * A message is complete.
   *
   * @param bytes an array with the body, or its beginning when it is long or partly missing; empty
   *     when it does not matter
   */
  protected abstract void message(byte[] bytes, int from, int to);

  /** The stream breaks the protocol, or too much of it is missing. */
  protected abstract void broken(boolean byGap);

  /** Takes the next bytes; returns the index of the first it did not take, being lost. */
  public final int accept(byte[] bytes, int from, int to, Moment moment) {
    seen(moment);
    int at = from;
    while (at < to && !lost) {
      if (inBody) {
        at = body(bytes, at, to);
      } else if (headerLength == 0 && to - at >= header.length) {
        startsAt(moment);
        if (!begins(bytes, at)) {
          return at;
        }
        at += header.length;
        if (remaining <= to - at) {
          int end = at + (int) remaining;
          inBody = false;
          message(bytes, at, end);
          at = end;
        }
      } else {
        at = partialHeader(bytes, at, moment);
      }
    }
    return at;
  }

  private void seen(Moment moment) {
    if (moment.timeNanos() >= lastNanos) {
      lastNanos = moment.timeNanos();
      lastFrame = moment.frame();
    }
  }

  private void startsAt(Moment moment) {
    startNanos = moment.timeNanos();
    startFrame = moment.frame();
  }

  private int partialHeader(byte[] bytes, int at, Moment moment) {
    if (headerLength == 0) {
      startsAt(moment);
    }
    header[headerLength++] = bytes[at];
    if (headerLength == header.length) {
      headerLength = 0;
      if (begins(header, 0) && remaining == 0) {
        inBody = false;
        message(NOTHING, 0, 0);
      }
    }
    return at + 1;
  }

  private boolean begins(byte[] bytes, int at) {
    long length = header(bytes, at);
    if (length == NO_MESSAGE) {
      broken(false);
      return false;
    }
    inBody = true;
    remaining = length;
    keptMax = Math.min(bytesThatMatter(), KEPT_BYTES_MAX);
    keptLength = 0;
    return true;
  }

  private int body(byte[] bytes, int at, int to) {
    int count = (int) Math.min(remaining, to - at);
    if (keptLength < keptMax) {
      keep(bytes, at, count);
    }
    pass(count);
    return at + count;
  }

  private void keep(byte[] bytes, int at, int count) {
    int taken = Math.min(count, keptMax - keptLength);
    int needed = keptLength + taken;
    if (needed > kept.length) {
      int capacity = Math.max(128, Integer.highestOneBit(needed) * 2);
      if (!context.memory.take(capacity - kept.length)) {
        keptMax = 0;
        return;
      }
      kept = Arrays.copyOf(kept, capacity);
    }
    System.arraycopy(bytes, at, kept, keptLength, taken);
    keptLength += taken;
  }

  private void pass(long count) {
    remaining -= count;
    if (remaining == 0) {
      inBody = false;
      byte[] body = kept;
      int bodyLength = keptLength;
      release();
      message(body, 0, bodyLength);
    }
  }

  /** The next bytes were not captured. */
  public final void missing(long byteCount, Moment moment) {
    seen(moment);
    if (lost) {
      return;
    }
    if (inBody && byteCount <= remaining) {
      keptMax = 0;
      pass(byteCount);
    } else {
      broken(true);
    }
  }

  /** Whether the stream stands between two messages. */
  public final boolean isBetweenMessages() {
    return !lost && !inBody && headerLength == 0;
  }

  /** Waits for something that tells where messages begin. */
  public final void lose() {
    lost = true;
    inBody = false;
    headerLength = 0;
    release();
  }

  /** Messages begin with the next byte. */
  public final void found() {
    lost = false;
    inBody = false;
    headerLength = 0;
  }

  /** Gives back the memory of a partial message. */
  public final void release() {
    context.memory.giveBack(kept.length);
    kept = NOTHING;
    keptLength = 0;
  }
}
