package org.terrace.protocols.http2;

import java.util.Arrays;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.MessageStream;
import org.terrace.wire.statistics.WireCount;

/**
 * The frames of one direction of HTTP/2, the client's preface among them. Blocks of headers are put
 * together from their frames and decompressed in their order, whatever stream they are of. Confined
 * to one thread.
 */
final class Http2Frames extends MessageStream {
  /** A block of headers longer than this is not read. */
  static final int BLOCK_BYTES_MAX = 64 << 10;

  private static final int PREFACE_TYPE = -1;
  private static final int PROMISED_BYTES = 4;
  private static final byte[] NOTHING = {};

  private final Http2Decoder decoder;
  private final boolean ofClient;
  private final HpackDecoder hpack;
  private final HeaderBlock headers = new HeaderBlock();
  private int length;
  private int type;
  private int flags;
  private int stream;

  /** The block that goes on in the next frame: its stream, 0 if there is none. */
  private int openStream;

  private int openFlags;
  private boolean openPromised;
  private byte[] open = NOTHING;
  private int openLength;
  private boolean openLacks;
  private long openStartNanos;
  private long openStartFrame;
  private long openBytes;

  Http2Frames(DecoderContext context, Http2Decoder decoder, boolean ofClient) {
    super(context, Http2Frame.HEADER_BYTES);
    this.decoder = decoder;
    this.ofClient = ofClient;
    hpack = new HpackDecoder(context.memory);
  }

  @Override
  protected long header(byte[] bytes, int at) {
    if (ofClient && isPreface(bytes, at)) {
      type = PREFACE_TYPE;
      length = Http2Frame.PREFACE.length - Http2Frame.HEADER_BYTES;
      return length;
    }
    length = Http2Frame.length(bytes, at);
    type = Http2Frame.type(bytes, at);
    flags = Http2Frame.flags(bytes, at);
    stream = Http2Frame.stream(bytes, at);
    boolean inOrder = openStream == 0 || (type == Http2Frame.CONTINUATION && stream == openStream);
    return Http2Frame.isSound(bytes, at) && inOrder ? length : NO_MESSAGE;
  }

  private static boolean isPreface(byte[] bytes, int at) {
    int end = at + Http2Frame.HEADER_BYTES;
    return Arrays.equals(bytes, at, end, Http2Frame.PREFACE, 0, Http2Frame.HEADER_BYTES);
  }

  @Override
  protected int bytesThatMatter() {
    return switch (type) {
      case Http2Frame.HEADERS, Http2Frame.CONTINUATION, Http2Frame.PUSH_PROMISE -> length;
      case Http2Frame.DATA -> decoder.readsData(stream) ? length : 0;
      default -> 0;
    };
  }

  @Override
  protected void message(byte[] bytes, int from, int to) {
    switch (type) {
      case Http2Frame.HEADERS, Http2Frame.PUSH_PROMISE -> beginBlock(bytes, from, to);
      case Http2Frame.CONTINUATION -> continueBlock(bytes, from, to);
      case Http2Frame.DATA -> data(bytes, from, to);
      case Http2Frame.RST_STREAM -> decoder.reset(stream, lastNanos, lastFrame);
      default -> {}
    }
  }

  private void data(byte[] bytes, int from, int to) {
    boolean whole = to - from == length;
    int dataFrom = Http2Frame.blockFrom(flags & Http2Frame.FLAG_PADDED, from, to);
    int dataTo = Http2Frame.unpaddedTo(flags, bytes, from, to);
    decoder.data(this, whole, bytes, dataFrom, Math.max(dataFrom, dataTo));
  }

  private void beginBlock(byte[] bytes, int from, int to) {
    boolean whole = to - from == length;
    boolean promised = type == Http2Frame.PUSH_PROMISE;
    int begin = Http2Frame.blockFrom(promised ? flags & Http2Frame.FLAG_PADDED : flags, from, to);
    int blockFrom = promised ? Math.min(to, begin + PROMISED_BYTES) : begin;
    int blockTo = Math.max(blockFrom, Http2Frame.unpaddedTo(flags, bytes, from, to));
    openStartNanos = startNanos;
    openStartFrame = startFrame;
    openBytes = frameLength();
    openFlags = flags;
    openPromised = promised;
    openLacks = !whole;
    if ((flags & Http2Frame.FLAG_END_HEADERS) != 0) {
      block(bytes, blockFrom, blockTo);
    } else {
      openStream = stream;
      openLength = 0;
      append(bytes, blockFrom, blockTo);
    }
  }

  private void continueBlock(byte[] bytes, int from, int to) {
    if (openStream == 0) {
      broken(false);
      return;
    }
    openBytes += frameLength();
    openLacks |= to - from != length;
    append(bytes, from, to);
    if ((flags & Http2Frame.FLAG_END_HEADERS) != 0) {
      openStream = 0;
      block(open, 0, openLength);
      releaseBlock();
    }
  }

  private void append(byte[] bytes, int from, int to) {
    int needed = openLength + to - from;
    if (needed > open.length) {
      int capacity = Integer.highestOneBit(needed) * 2;
      if (needed > BLOCK_BYTES_MAX || !context.memory.take(capacity - open.length)) {
        openLacks = true;
        return;
      }
      open = Arrays.copyOf(open, capacity);
    }
    System.arraycopy(bytes, from, open, openLength, to - from);
    openLength = needed;
  }

  private void block(byte[] bytes, int from, int to) {
    headers.clear();
    if (openLacks) {
      hpack.forget();
      headers.lacks();
    } else if (!hpack.decode(bytes, from, to, headers)) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
    if (!openPromised) {
      decoder.headers(this, headers);
    }
  }

  boolean isOfClient() {
    return ofClient;
  }

  int stream() {
    return stream;
  }

  /** Whether the headers or data that were read last end their side of the stream. */
  boolean endsStream() {
    int told = type == Http2Frame.DATA ? flags : openFlags;
    return (told & Http2Frame.FLAG_END_STREAM) != 0;
  }

  /** The bytes of the frames that were read last, their headers included. */
  long frameBytes() {
    return type == Http2Frame.DATA ? frameLength() : openBytes;
  }

  private long frameLength() {
    return (long) Http2Frame.HEADER_BYTES + length;
  }

  long beginNanos() {
    return type == Http2Frame.DATA ? startNanos : openStartNanos;
  }

  long beginFrame() {
    return type == Http2Frame.DATA ? startFrame : openStartFrame;
  }

  long endNanos() {
    return lastNanos;
  }

  long endFrame() {
    return lastFrame;
  }

  @Override
  protected void broken(boolean byGap) {
    if (!byGap) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
    loseFrames();
    decoder.broken(this);
  }

  boolean isLost() {
    return lost;
  }

  /** Waits for a segment that begins with a frame; what headers refer to is unknown then. */
  void loseFrames() {
    openStream = 0;
    releaseBlock();
    hpack.forget();
    lose();
  }

  private void releaseBlock() {
    context.memory.giveBack(open.length);
    open = NOTHING;
    openLength = 0;
  }

  /** Gives back the memory; the last call. */
  void releaseAll() {
    releaseBlock();
    hpack.forget();
    release();
  }
}
