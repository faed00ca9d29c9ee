package org.terrace.groups.membership;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Group;
import org.terrace.groups.Member;

/**
 * The encoding of membership messages on the wire. Each begins with the version of the protocol;
 * one that refuses another version begins with 0 and is the same in all versions from 2 on.
 * Stateless and thread-safe.
 */
public final class MembershipCodec {
  private static final byte REFUSAL = 0;
  private static final int HOST_LENGTH_MAX = 255;
  private static final MembershipMessage.Kind[] KINDS = MembershipMessage.Kind.values();
  private static final Rumor.State[] STATES = Rumor.State.values();

  private static final int FIXED_BYTES = 32;
  private static final int BYTES_A_CHARACTER = 3;

  private MembershipCodec() {}

  /** As many bytes as the message can take, or somewhat more. */
  private static int roomFor(MembershipMessage message) {
    Member subject = message.subject();
    int room = FIXED_BYTES + roomFor(message.from()) + (subject == null ? 0 : roomFor(subject));
    for (Rumor rumor : message.rumors()) {
      room += FIXED_BYTES + roomFor(rumor.subject());
    }
    return room;
  }

  private static int roomFor(Member member) {
    int characters = member.name().length() + member.address().getHostString().length();
    return FIXED_BYTES + BYTES_A_CHARACTER * characters;
  }

  /** The refusal of another version, by a member of that one whose view has so many members. */
  public static ByteBuffer encodeRefusal(int protocol, int members) {
    return ByteBuffer.allocate(3)
        .put(REFUSAL)
        .put((byte) protocol)
        .put((byte) Math.min(members, Byte.MAX_VALUE))
        .flip();
  }

  /**
   * The event that a message of the membership is to a member of that version, or null when it is
   * none.
   *
   * @param source whence it came
   */
  public static @Nullable MembershipEvent decodeEvent(
      ByteBuffer in, int protocol, InetSocketAddress source) {
    if (!in.hasRemaining()) {
      return null;
    }
    int first = in.get(in.position());
    if (first == protocol) {
      MembershipMessage message = decode(in, protocol);
      return message == null ? null : new MembershipEvent.Received(message);
    }
    if (first > 0) {
      return new MembershipEvent.Incompatible(source, first, 0);
    }
    if (first != REFUSAL || in.remaining() != 3) {
      return null;
    }
    int theirs = in.get(in.position() + 1);
    int members = in.get(in.position() + 2);
    return theirs <= 0 || theirs == protocol || members <= 0
        ? null
        : new MembershipEvent.Incompatible(source, theirs, members);
  }

  /** The message as bytes, ready to be read. */
  public static ByteBuffer encode(MembershipMessage message) {
    return encode(message, Group.PROTOCOL_VERSION);
  }

  /** The message as bytes of that version of the protocol, ready to be read. */
  public static ByteBuffer encode(MembershipMessage message, int protocol) {
    ByteBuffer out = ByteBuffer.allocate(roomFor(message));
    out.put((byte) protocol).put((byte) message.kind().ordinal());
    putMember(out, message.from());
    out.putInt(message.refutation()).putLong(message.sequence());
    Member subject = message.subject();
    out.put((byte) (subject == null ? 0 : 1));
    if (subject != null) {
      putMember(out, subject);
    }
    out.putShort((short) message.rumors().size());
    for (Rumor rumor : message.rumors()) {
      putMember(out, rumor.subject());
      out.put((byte) rumor.state().ordinal());
      out.putInt(rumor.refutation()).putLong(rumor.accuser());
    }
    return out.flip();
  }

  /** The message of these bytes, or null when they are none. */
  public static @Nullable MembershipMessage decode(ByteBuffer in) {
    return decode(in, Group.PROTOCOL_VERSION);
  }

  private static @Nullable MembershipMessage decode(ByteBuffer in, int protocol) {
    try {
      return read(in, protocol);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable MembershipMessage read(ByteBuffer in, int protocol) {
    if (in.get() != protocol) {
      return null;
    }
    MembershipMessage.Kind kind = KINDS[checkIndex(in.get(), KINDS.length)];
    Member from = getMember(in);
    int refutation = checkRefutation(in.getInt());
    long sequence = in.getLong();
    Member subject = in.get() == 0 ? null : getMember(in);
    int count = checkIndex(in.getShort(), 2 * Roster.MEMBERS_MAX);
    List<Rumor> rumors = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Member about = getMember(in);
      Rumor.State state = STATES[checkIndex(in.get(), STATES.length)];
      rumors.add(new Rumor(about, state, checkRefutation(in.getInt()), in.getLong()));
    }
    return new MembershipMessage(kind, from, refutation, sequence, subject, rumors);
  }

  private static void putMember(ByteBuffer out, Member member) {
    out.putLong(member.id());
    putText(out, member.name());
    putText(out, member.address().getHostString());
    out.putShort((short) member.address().getPort());
  }

  private static Member getMember(ByteBuffer in) {
    long id = in.getLong();
    String name = getText(in, Member.NAME_LENGTH_MAX * 3);
    String host = getText(in, HOST_LENGTH_MAX);
    return new Member(name, id, address(host, Short.toUnsignedInt(in.getShort())));
  }

  private static InetSocketAddress address(String host, int port) {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("an address needs a host");
    }
    boolean literal = host.indexOf(':') >= 0 || Character.isDigit(host.charAt(0));
    return literal
        ? new InetSocketAddress(InetAddress.ofLiteral(host), port)
        : InetSocketAddress.createUnresolved(host, port);
  }

  private static void putText(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putShort((short) bytes.length).put(bytes);
  }

  private static String getText(ByteBuffer in, int lengthMax) {
    int length = checkIndex(in.getShort(), lengthMax + 1);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static int checkRefutation(int refutation) {
    if (refutation < 0 || refutation == Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a count of refutations out of range: " + refutation);
    }
    return refutation;
  }

  private static int checkIndex(int index, int length) {
    if (index < 0 || index >= length) {
      throw new IllegalArgumentException(index + " is not 0 to " + (length - 1));
    }
    return index;
  }
}
