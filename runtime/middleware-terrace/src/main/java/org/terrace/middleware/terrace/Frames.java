package org.terrace.middleware.terrace;

import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallCodec;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/**
 * The frames of the protocol, which {@code docs/reference/invocation-protocol.md} describes: each
 * begins with one byte of kind.
 */
final class Frames {
  static final int HELLO = 1;
  static final int WELCOME = 2;
  static final int REFUSAL = 3;
  static final int CALL = 4;
  static final int REPLY = 5;
  static final int CANCEL = 6;
  static final int PING = 7;
  static final int PONG = 8;
  static final int NO_PLACE = 9;

  static final long MAGIC = 0x5465_7272_6163_6531L;
  static final int VERSION = 2;
  private static final int REPLY_WANTED = 1;

  private Frames() {}

  /** The first message of a client; a control connection carries pings and cancellations. */
  record Hello(int version, boolean control, String secret) {}

  /** A call and the number its reply will carry. */
  record NumberedCall(long number, CallRequest request) {}

  /** A reply and the number of its call. */
  record NumberedReply(long number, CallReply reply) {}

  static void putHello(Encoder out, boolean control, String secret) {
    FramedSocket.begin(out);
    out.putByte(HELLO);
    out.putFixedLong(MAGIC);
    out.putUnsigned(VERSION);
    out.putByte(control ? 1 : 0);
    out.putString(secret);
  }

  static Hello getHello(Decoder in) {
    expect(in, HELLO);
    if (in.getFixedLong() != MAGIC) {
      throw new MalformedDataException("it is no client of this protocol");
    }
    return new Hello(in.getCount(Integer.MAX_VALUE), in.getByte() != 0, in.getString());
  }

  static void putText(Encoder out, int kind, String text) {
    FramedSocket.begin(out);
    out.putByte(kind);
    out.putString(text);
  }

  static void putNumber(Encoder out, int kind, long number) {
    FramedSocket.begin(out);
    out.putByte(kind);
    out.putUnsigned(number);
  }

  static void putCancel(Encoder out, long connection, long number) {
    putNumber(out, CANCEL, connection);
    out.putUnsigned(number);
  }

  static void putCall(Encoder out, long number, CallRequest request) {
    FramedSocket.begin(out);
    out.putByte(CALL);
    out.putUnsigned(number);
    out.putByte(request.kind().ordinal());
    out.putByte(request.replyWanted() ? REPLY_WANTED : 0);
    out.putFixedLong(request.identity().client());
    out.putUnsigned(request.identity().sequence());
    out.putUnsigned(request.firstIncomplete());
    out.putUnsigned(Math.max(0, request.remainingNanos()));
    out.putString(request.service());
    out.putString(request.method());
    out.putBytes(request.arguments());
  }

  /** Reads a call whose kind has been read. */
  static NumberedCall getCall(Decoder in) {
    long number = in.getUnsigned();
    CallRequest.Kind kind = CallCodec.kind(in.getByte());
    boolean replyWanted = (in.getByte() & REPLY_WANTED) != 0;
    long client = in.getFixedLong();
    long sequence = in.getUnsigned();
    if (sequence < 1) {
      throw new MalformedDataException("a call's sequence begins at 1, got " + sequence);
    }
    long firstIncomplete = in.getUnsigned();
    long remainingNanos = in.getUnsigned();
    String service = in.getString();
    String method = in.getString();
    byte[] arguments = in.getBytes();
    return new NumberedCall(
        number,
        new CallRequest(
            kind,
            service,
            method,
            new RequestIdentity(client, sequence),
            firstIncomplete,
            remainingNanos,
            replyWanted,
            arguments));
  }

  static void putReply(Encoder out, long number, CallReply reply) {
    FramedSocket.begin(out);
    out.putByte(REPLY);
    out.putUnsigned(number);
    out.putByte(reply.status().ordinal());
    out.putBytes(reply.body());
  }

  /** Reads a reply whose kind has been read. */
  static NumberedReply getReply(Decoder in) {
    long number = in.getUnsigned();
    return new NumberedReply(number, new CallReply(CallCodec.status(in.getByte()), in.getBytes()));
  }

  static void expect(Decoder in, int kind) {
    int found = in.getByte();
    if (found != kind) {
      throw new MalformedDataException("expected a frame of kind " + kind + ", got " + found);
    }
  }
}
