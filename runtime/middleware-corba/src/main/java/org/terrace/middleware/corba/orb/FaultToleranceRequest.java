package org.terrace.middleware.corba.orb;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.MalformedDataException;

/**
 * The service context FT_REQUEST: {@code struct FTRequestServiceContext { string client_id; long
 * retention_id; TimeBase::TimeT expiration_time; }} in a CDR encapsulation (Object Management
 * Group, "Common Object Request Broker Architecture", version 3.0, sections 15.3 and 23.2.6).
 *
 * <p>A retention id has 32 bits: the upper bits of a sequence stand behind the client, so that a
 * client's numbers never come again.
 *
 * @param identity whose request it is, and its number
 * @param expirationTime until when the reply is kept, in units of 100 ns since 15 October 1582
 */
record FaultToleranceRequest(RequestIdentity identity, long expirationTime) {
  /** The number of the service context. */
  static final int FT_REQUEST = 13;

  private static final int RETENTION_BITS = 31;
  private static final int RETENTION_MASK = 0x7fff_ffff;
  private static final int CLIENT_BYTES_MAX = 64;
  private static final int FIXED_BYTES = 40;

  byte[] encode() {
    String client =
        Long.toHexString(identity.client())
            + "."
            + Long.toHexString(identity.sequence() >>> RETENTION_BITS);
    byte[] text = client.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + text.length);
    out.putInt(0);
    out.putInt(text.length + 1).put(text).put((byte) 0);
    align(out, Integer.BYTES);
    out.putInt((int) (identity.sequence() & RETENTION_MASK));
    align(out, Long.BYTES);
    out.putLong(expirationTime);
    byte[] encoded = new byte[out.position()];
    out.flip().get(encoded);
    return encoded;
  }

  static FaultToleranceRequest decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      in.order(in.get() == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
      align(in, Integer.BYTES);
      int length = in.getInt();
      if (length < 1 || length > CLIENT_BYTES_MAX) {
        throw new MalformedDataException("FT_REQUEST: a client id of " + length + " bytes");
      }
      byte[] text = new byte[length];
      in.get(text);
      String client = new String(text, 0, length - 1, StandardCharsets.US_ASCII);
      align(in, Integer.BYTES);
      long retention = in.getInt() & (long) RETENTION_MASK;
      align(in, Long.BYTES);
      return new FaultToleranceRequest(identity(client, retention), in.getLong());
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new MalformedDataException("FT_REQUEST: " + e);
    }
  }

  private static RequestIdentity identity(String client, long retention) {
    int dot = client.indexOf('.');
    if (dot < 0) {
      throw new MalformedDataException("FT_REQUEST: a client id hex.hex, got " + client);
    }
    long upper = Long.parseUnsignedLong(client, dot + 1, client.length(), 16);
    return new RequestIdentity(
        Long.parseUnsignedLong(client, 0, dot, 16), (upper << RETENTION_BITS) | retention);
  }

  private static void align(ByteBuffer buffer, int to) {
    int over = buffer.position() % to;
    if (over != 0) {
      buffer.position(buffer.position() + to - over);
    }
  }
}
