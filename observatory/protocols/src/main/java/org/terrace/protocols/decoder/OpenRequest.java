package org.terrace.protocols.decoder;

import org.terrace.observation.Exchange;

/**
 * A request and its response while they are read: the times, frames and bytes seen so far. Filled
 * anew for every request of its decoder. Confined to one thread.
 */
class OpenRequest {
  private static final long UNKNOWN = Exchange.UNKNOWN;

  long arrivalNanos;
  long requestEndNanos;
  long responseStartNanos;

  /** The time of the response's last byte, or at which it was given up. */
  long departureNanos;

  long firstFrame;

  /** The latest frame in time, which need not have the greatest number. */
  long lastFrame;

  long bytesIn;
  long bytesOut;
  private long lastFrameNanos;

  /** Its first byte came. */
  final void begin(long timeNanos, long frame) {
    arrivalNanos = timeNanos;
    requestEndNanos = UNKNOWN;
    responseStartNanos = UNKNOWN;
    departureNanos = timeNanos;
    firstFrame = frame;
    lastFrame = frame;
    lastFrameNanos = timeNanos;
    bytesIn = 0;
    bytesOut = 0;
  }

  /** The request is whole, as far as can be told, with what came until a moment. */
  final void requestEnds(long timeNanos, long frame) {
    requestEndNanos = timeNanos;
    seen(timeNanos, frame);
  }

  /** A part of the response that begins or ends at a moment was seen. */
  final void answered(long timeNanos, long frame) {
    if (responseStartNanos == UNKNOWN) {
      responseStartNanos = timeNanos;
    }
    seen(timeNanos, frame);
  }

  /** What was seen of the response is none: a notice before it. */
  final void notAnsweredYet() {
    responseStartNanos = UNKNOWN;
  }

  final boolean isAnswered() {
    return responseStartNanos != UNKNOWN;
  }

  /** A frame belongs to it. */
  final void seen(long timeNanos, long frame) {
    if (timeNanos >= lastFrameNanos) {
      lastFrameNanos = timeNanos;
      lastFrame = frame;
    }
  }
}
