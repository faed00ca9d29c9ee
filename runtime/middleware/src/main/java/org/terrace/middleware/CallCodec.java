package org.terrace.middleware;

import java.nio.charset.StandardCharsets;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * Calls and replies as byte strings, for a middleware that carries byte strings. A call's identity
 * is not among them: it travels where the middleware has a place for it. Stateless.
 */
public final class CallCodec {
  private static final int REPLY_WANTED = 1;
  private static final CallRequest.Kind[] KINDS = CallRequest.Kind.values();
  private static final CallReply.Status[] STATUSES = CallReply.Status.values();

  private CallCodec() {}

  /** A call without its identity. */
  public static byte[] encode(CallRequest request) {
    Encoder out = new Encoder();
    out.putByte(request.kind().ordinal());
    out.putByte(request.replyWanted() ? REPLY_WANTED : 0);
    out.putUnsigned(request.firstIncomplete());
    out.putUnsigned(Math.max(0, request.remainingNanos()));
    out.putString(request.service());
    out.putString(request.method());
    out.putBytes(request.arguments());
    return out.toBytes();
  }

  /**
   * The call of an identity.
   *
   * @throws MalformedDataException if the bytes are no call
   */
  public static CallRequest decodeRequest(RequestIdentity identity, byte[] bytes) {
    Decoder in = new Decoder(bytes);
    CallRequest.Kind kind = kind(in.getByte());
    boolean replyWanted = (in.getByte() & REPLY_WANTED) != 0;
    long firstIncomplete = in.getUnsigned();
    long remainingNanos = in.getUnsigned();
    String service = in.getString();
    String method = in.getString();
    return new CallRequest(
        kind,
        service,
        method,
        identity,
        firstIncomplete,
        remainingNanos,
        replyWanted,
        in.getBytes());
  }

  /**
   * The kind of a call by its number on the wire.
   *
   * @throws MalformedDataException if there is none of that number
   */
  public static CallRequest.Kind kind(int number) {
    if (number < 0 || number >= KINDS.length) {
      throw new MalformedDataException(
          "a call's kind is 0 to " + (KINDS.length - 1) + ", got " + number);
    }
    return KINDS[number];
  }

  /**
   * The status of a reply by its number on the wire.
   *
   * @throws MalformedDataException if there is none of that number
   */
  public static CallReply.Status status(int number) {
    if (number < 0 || number >= STATUSES.length) {
      throw new MalformedDataException(
          "a reply's status is 0 to " + (STATUSES.length - 1) + ", got " + number);
    }
    return STATUSES[number];
  }

  /** A reply: a byte of status, and the body as it is. */
  public static byte[] encode(CallReply reply) {
    byte[] bytes = new byte[reply.body().length + 1];
    bytes[0] = (byte) reply.status().ordinal();
    System.arraycopy(reply.body(), 0, bytes, 1, reply.body().length);
    return bytes;
  }

  /**
   * The reply.
   *
   * @throws MalformedDataException if the bytes are no reply
   */
  public static CallReply decodeReply(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    return new CallReply(status(in.getByte()), in.getRaw(in.remaining()));
  }

  /**
   * The work of a server's end: decodes, runs the handler, encodes; malformed calls are rejected.
   */
  public static byte[] serve(CallHandler handler, RequestIdentity identity, byte[] bytes) {
    CallRequest request;
    try {
      request = decodeRequest(identity, bytes);
    } catch (MalformedDataException e) {
      return encode(rejection("the call is malformed: " + e.getMessage()));
    }
    return encode(handler.handle(request));
  }

  /** A rejection for that reason. */
  public static CallReply rejection(String reason) {
    return new CallReply(CallReply.Status.REJECTED, reason.getBytes(StandardCharsets.UTF_8));
  }
}
