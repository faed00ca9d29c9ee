package org.terrace.groups.jgroups;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Member;

/**
 * The introduction of a member to a newcomer.
 *
 * @param member who it is
 * @param multicasts how many multicasts it had sent by then: later ones are meant for the newcomer
 * @param wantsAnswer whether the newcomer's own hello has not been heard yet
 */
record Hello(Member member, long multicasts, boolean wantsAnswer) {
  ByteBuffer encode() {
    Encoder out = new Encoder();
    out.putByte(wantsAnswer ? 1 : 0);
    out.putUnsigned(multicasts);
    out.putFixedLong(member.id());
    out.putString(member.name());
    InetAddress address = member.address().getAddress();
    out.putBytes(address == null ? new byte[0] : address.getAddress());
    out.putUnsigned(member.address().getPort());
    return out.asBuffer();
  }

  /** The hello of these bytes, or null when they are none. */
  static @Nullable Hello decode(ByteBuffer bytes) {
    try {
      Decoder in = Decoder.copyOf(bytes);
      boolean wantsAnswer = in.getByte() != 0;
      long multicasts = in.getUnsigned();
      long id = in.getFixedLong();
      String name = in.getString();
      byte[] raw = in.getBytes();
      int port = in.getCount(0xFFFF);
      InetSocketAddress address =
          raw.length == 0
              ? InetSocketAddress.createUnresolved(name, port)
              : new InetSocketAddress(InetAddress.getByAddress(raw), port);
      return new Hello(new Member(name, id, address), multicasts, wantsAnswer);
    } catch (MalformedDataException | IllegalArgumentException | UnknownHostException e) {
      return null;
    }
  }
}
