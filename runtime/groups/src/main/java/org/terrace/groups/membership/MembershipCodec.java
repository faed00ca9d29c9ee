package org.terrace.groups.membership;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;

/**
 * The encoding of membership messages on the wire. Stateless and thread-safe.
 *
 * <p>Each begins with the version of the protocol in which it is written; one that refuses another
 * version begins with 0 and is the same in all versions from 2 on. Until version 3 all fields stand
 * one after another, and a reader ends with the last that it knows: a sender that understands more
 * says so in an annex behind them. From version 4 on a member's fields are a record of which the
 * length is told, so that a reader skips what it does not know of, and each record tells which
 * versions its member understands.
 */
public final class MembershipCodec {
  private static final byte REFUSAL = 0;

  /** The first version with records. */
  private static final int RECORDS_SINCE = 4;

  /** The versions that a sender understands who says nothing of it. */
  private static final ProtocolVersions FLAT_ALONE =
      new ProtocolVersions(RECORDS_SINCE - 1, RECORDS_SINCE - 1);

  private static final int HOST_LENGTH_MAX = 255;
  private static final MembershipMessage.Kind[] KINDS = MembershipMessage.Kind.values();
  private static final Rumor.State[] STATES = Rumor.State.values();

  private static final int FIXED_BYTES = 32;
  private static final int BYTES_A_CHARACTER = 3;

  private MembershipCodec() {}

  /** Room for as many bytes as the message can take, or somewhat more. */
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

  /**
   * The refusal of a message of a version that is not understood.
   *
   * @param nearest the version that is understood and nearest to it
   * @param members the number of members of the view of the one who refuses
   */
  public static ByteBuffer encodeRefusal(int nearest, int members) {
    return ByteBuffer.allocate(3)
        .put(REFUSAL)
        .put((byte) nearest)
        .put((byte) Math.min(members, Byte.MAX_VALUE))
        .flip();
  }

  /**
   * The event that a message of the membership is to a member that understands those versions, or
   * null when it is none.
   *
   * @param source whence it came
   */
  public static @Nullable MembershipEvent decodeEvent(
      ByteBuffer in, ProtocolVersions own, InetSocketAddress source) {
    if (!in.hasRemaining()) {
      return null;
    }
    int first = in.get(in.position());
    if (own.contains(first)) {
      MembershipMessage message = decode(in);
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
    if (theirs <= 0 || members <= 0) {
      return null;
    }
    return own.contains(theirs)
        ? new MembershipEvent.Corrected(source, theirs)
        : new MembershipEvent.Incompatible(source, theirs, members);
  }

  /** The message as bytes of that version of the protocol, ready to be read. */
  public static ByteBuffer encode(MembershipMessage message, int version) {
    ByteBuffer out = ByteBuffer.allocate(roomFor(message));
    out.put((byte) version).put((byte) message.kind().ordinal());
    if (version < RECORDS_SINCE) {
      putFlat(out, message);
    } else {
      putRecords(out, message);
    }
    return out.flip();
  }

  /** The message of these bytes, or null when they are none of a version of this build. */
  public static @Nullable MembershipMessage decode(ByteBuffer in) {
    try {
      int version = in.get();
      if (!ProtocolVersions.ofThisBuild().contains(version)) {
        return null;
      }
      MembershipMessage.Kind kind = KINDS[checkIndex(in.get(), KINDS.length)];
      return version < RECORDS_SINCE ? getFlat(in, kind) : getRecords(in, kind);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return null;
    }
  }

  private static void putFlat(ByteBuffer out, MembershipMessage message) {
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
    if (!message.understood().equals(FLAT_ALONE)) {
      out.put((byte) 2);
      putVersions(out, message.understood());
    }
  }

  private static MembershipMessage getFlat(ByteBuffer in, MembershipMessage.Kind kind) {
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
    ProtocolVersions understood = FLAT_ALONE;
    if (in.hasRemaining()) {
      ByteBuffer annex = slice(in, Byte.toUnsignedInt(in.get()));
      understood = sender(annex);
    }
    return new MembershipMessage(kind, from, understood, refutation, sequence, subject, rumors);
  }

  private static void putRecords(ByteBuffer out, MembershipMessage message) {
    int sender = beginRecord(out);
    putMember(out, message.from());
    out.putInt(message.refutation());
    putVersions(out, message.understood());
    endRecord(out, sender);
    out.putLong(message.sequence());
    int about = beginRecord(out);
    Member subject = message.subject();
    if (subject != null) {
      putMember(out, subject);
    }
    endRecord(out, about);
    out.putShort((short) message.rumors().size());
    for (Rumor rumor : message.rumors()) {
      int record = beginRecord(out);
      putMember(out, rumor.subject());
      out.put((byte) rumor.state().ordinal());
      out.putInt(rumor.refutation()).putLong(rumor.accuser());
      putVersions(out, rumor.understood());
      endRecord(out, record);
    }
  }

  /** Reads what it knows of each record, and skips what a later version has appended to it. */
  private static MembershipMessage getRecords(ByteBuffer in, MembershipMessage.Kind kind) {
    ByteBuffer sender = getRecord(in);
    Member from = getMember(sender);
    int refutation = checkRefutation(sender.getInt());
    ProtocolVersions understood = sender(sender);
    long sequence = in.getLong();
    ByteBuffer subject = getRecord(in);
    Member about = subject.hasRemaining() ? getMember(subject) : null;
    int count = checkIndex(in.getShort(), 2 * Roster.MEMBERS_MAX);
    List<Rumor> rumors = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ByteBuffer record = getRecord(in);
      Member member = getMember(record);
      Rumor.State state = STATES[checkIndex(record.get(), STATES.length)];
      int refutations = checkRefutation(record.getInt());
      rumors.add(new Rumor(member, state, refutations, record.getLong(), getVersions(record)));
    }
    return new MembershipMessage(kind, from, understood, refutation, sequence, about, rumors);
  }

  private static int beginRecord(ByteBuffer out) {
    out.putShort((short) 0);
    return out.position();
  }

  private static void endRecord(ByteBuffer out, int start) {
    out.putShort(start - Short.BYTES, (short) (out.position() - start));
  }

  private static ByteBuffer getRecord(ByteBuffer in) {
    return slice(in, Short.toUnsignedInt(in.getShort()));
  }

  /** The next bytes alone, which are skipped in what they are taken from. */
  private static ByteBuffer slice(ByteBuffer in, int length) {
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer slice = in.slice(in.position(), length);
    in.position(in.position() + length);
    return slice;
  }

  /** The versions are two bytes, both 0 where they are not known. */
  private static void putVersions(ByteBuffer out, @Nullable ProtocolVersions versions) {
    out.put((byte) (versions == null ? 0 : versions.least()));
    out.put((byte) (versions == null ? 0 : versions.most()));
  }

  private static @Nullable ProtocolVersions getVersions(ByteBuffer in) {
    int least = in.get();
    int most = in.get();
    return least == 0 && most == 0 ? null : new ProtocolVersions(least, most);
  }

  private static ProtocolVersions sender(ByteBuffer in) {
    ProtocolVersions versions = getVersions(in);
    if (versions == null) {
      throw new IllegalArgumentException("a sender knows which versions it understands");
    }
    return versions;
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
