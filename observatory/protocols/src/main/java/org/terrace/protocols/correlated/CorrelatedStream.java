package org.terrace.protocols.correlated;

import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.MessageStream;

/** One direction of a protocol of messages with a length and an id. Confined to one thread. */
final class CorrelatedStream extends MessageStream {
  private final CorrelatedDecoder decoder;
  private final MessageFormat format;
  private final boolean ofClient;
  private final MessageHead head = new MessageHead();
  private long length;

  CorrelatedStream(
      DecoderContext context, CorrelatedDecoder decoder, MessageFormat format, boolean ofClient) {
    super(context, format.headerBytes());
    this.decoder = decoder;
    this.format = format;
    this.ofClient = ofClient;
  }

  @Override
  protected long header(byte[] bytes, int at) {
    head.clear();
    length = format.header(ofClient, bytes, at, head);
    return length == MessageFormat.NO_MESSAGE ? NO_MESSAGE : length;
  }

  @Override
  protected int bytesThatMatter() {
    return format.bytesRead();
  }

  @Override
  protected void message(byte[] bytes, int from, int to) {
    format.rest(ofClient, bytes, from, Math.min(to, from + format.bytesRead()), head);
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

  MessageHead head() {
    return head;
  }

  long messageBytes() {
    return format.headerBytes() + length;
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
