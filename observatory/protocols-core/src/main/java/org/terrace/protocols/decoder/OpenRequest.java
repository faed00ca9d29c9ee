package org.terrace.protocols.decoder;

import org.terrace.observation.Exchange;
import org.terrace.observation.ValueSketch;

/**
 * A request and its response while they are read: the times, frames and bytes seen so far. Filled
 * anew for every request of its decoder. Confined to one thread.
 */
public class OpenRequest {
  private static final long UNKNOWN = Exchange.UNKNOWN;

  /** The time of its first byte. */
  public long arrivalNanos;

  long requestEndNanos;
  long responseStartNanos;

  /** The time of the response's last byte, or at which it was given up. */
  public long departureNanos;

  long firstFrame;

  /** The latest frame in time, which need not have the greatest number. */
  long lastFrame;

  /** The bytes of the request. */
  public long bytesIn;

  /** The bytes of the response. */
  public long bytesOut;

  /** The number that its bytes give its transaction; 0 if they give none. */
  public long identifier;

  /** The sketch of the values in its bytes. */
  public long carriedValues;

  private long lastFrameNanos;

  /** Becomes what another request is so far, of which the answer is yet to come. */
  public final void continues(OpenRequest other) {
    begin(other.arrivalNanos, other.firstFrame);
    requestEndNanos = other.requestEndNanos;
    seen(other.lastFrameNanos, other.lastFrame);
    identifier = other.identifier;
    carriedValues = other.carriedValues;
    bytesIn = other.bytesIn;
    bytesOut = other.bytesOut;
  }

  /** Begins the request: its first byte came. */
  public final void begin(long timeNanos, long frame) {
    arrivalNanos = timeNanos;
    requestEndNanos = UNKNOWN;
    responseStartNanos = UNKNOWN;
    departureNanos = timeNanos;
    firstFrame = frame;
    lastFrame = frame;
    lastFrameNanos = timeNanos;
    identifier = 0;
    carriedValues = ValueSketch.NONE;
    bytesIn = 0;
    bytesOut = 0;
  }

  /** The request is whole, as far as can be told, with what came until a moment. */
  public final void requestEnds(long timeNanos, long frame) {
    requestEndNanos = timeNanos;
    seen(timeNanos, frame);
  }

  /** A part of the response that begins or ends at a moment was seen. */
  public final void answered(long timeNanos, long frame) {
    if (responseStartNanos == UNKNOWN) {
      responseStartNanos = timeNanos;
    }
    seen(timeNanos, frame);
  }

  /** Takes back an answer: what was seen of the response was a notice before it. */
  public final void notAnsweredYet() {
    responseStartNanos = UNKNOWN;
  }

  /** Whether a part of the response was seen. */
  public final boolean isAnswered() {
    return responseStartNanos != UNKNOWN;
  }

  /** A frame belongs to it. */
  public final void seen(long timeNanos, long frame) {
    if (timeNanos >= lastFrameNanos) {
      lastFrameNanos = timeNanos;
      lastFrame = frame;
    }
  }
}
