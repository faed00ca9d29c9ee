package org.terrace.protocols.correlated;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.MessageStream;

/** One direction of a protocol of messages with a length and an id. Confined to one thread. */
final class CorrelatedStream extends MessageStream {
  private final CorrelatedDecoder decoder;
  private final MessageFormat format;
  private final boolean ofClient;
  private final MessageHead head = new MessageHead();
  private final MessageHead ahead = new MessageHead();
  private final int headerBytes;
  private long length;

  CorrelatedStream(
      DecoderContext context, CorrelatedDecoder decoder, MessageFormat format, boolean ofClient) {
    super(context, format.headerBytes(ofClient));
    this.decoder = decoder;
    this.format = format;
    this.ofClient = ofClient;
    headerBytes = format.headerBytes(ofClient);
  }

  @Override
  protected long header(byte[] bytes, int at) {
    head.clear();
    length = format.header(ofClient, bytes, at, head);
    return length == MessageFormat.NO_MESSAGE ? NO_MESSAGE : length;
  }

  @Override
  protected int bytesThatMatter() {
    return format.bytesRead(ofClient, head);
  }

  @Override
  protected void message(byte[] bytes, int from, int to) {
    format.rest(ofClient, bytes, from, Math.min(to, from + bytesThatMatter()), head);
    if (ofClient) {
      decoder.request(this);
    } else {
      decoder.answer(this);
    }
  }

  @Override
  protected void broken(boolean byGap) {
    decoder.broken(this, byGap);
  }

  /** The head of the message that begins a segment, or null; nothing is taken. */
  @Nullable MessageHead ahead(byte[] bytes, int from, int to) {
    if (to - from < headerBytes) {
      return null;
    }
    ahead.clear();
    long rest = format.header(ofClient, bytes, from, ahead);
    if (rest == MessageFormat.NO_MESSAGE) {
      return null;
    }
    int body = from + headerBytes;
    long read = Math.min(rest, format.bytesRead(ofClient, ahead));
    format.rest(ofClient, bytes, body, (int) Math.min(to, body + read), ahead);
    return ahead;
  }

  MessageHead head() {
    return head;
  }

  long messageBytes() {
    return headerBytes + length;
  }

  long beginNanos() {
    return startNanos;
  }

  long beginFrame() {
    return startFrame;
  }

  long endNanos() {
    return lastNanos;
  }

  long endFrame() {
    return lastFrame;
  }

  boolean isLost() {
    return lost;
  }
}
