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
import org.terrace.groups.ProtocolVersions;

/**
 * The introduction of a member to a newcomer.
 *
 * @param member who it is
 * @param understood the versions of the protocol that it understands; version 3 has no place for
 *     them, so that they follow behind its fields, where a member of version 3 does not read, and
 *     one that understands that version alone says nothing
 * @param multicasts how many multicasts it had sent by then: later ones are meant for the newcomer
 * @param wantsAnswer whether the newcomer's own hello has not been heard yet
 */
record Hello(Member member, ProtocolVersions understood, long multicasts, boolean wantsAnswer) {
  /** The versions that a sender understands who says nothing of it. */
  static final ProtocolVersions UNTOLD = new ProtocolVersions(3, 3);

  ByteBuffer encode() {
    Encoder out = new Encoder();
    out.putByte(wantsAnswer ? 1 : 0);
    out.putUnsigned(multicasts);
    out.putFixedLong(member.id());
    out.putString(member.name());
    InetAddress address = member.address().getAddress();
    out.putBytes(address == null ? new byte[0] : address.getAddress());
    out.putUnsigned(member.address().getPort());
    if (!understood.equals(UNTOLD)) {
      out.putByte(understood.least());
      out.putByte(understood.most());
    }
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
      ProtocolVersions understood =
          in.remaining() > 0 ? new ProtocolVersions(in.getByte(), in.getByte()) : UNTOLD;
      return new Hello(new Member(name, id, address), understood, multicasts, wantsAnswer);
    } catch (MalformedDataException | IllegalArgumentException | UnknownHostException e) {
      return null;
    }
  }
}
