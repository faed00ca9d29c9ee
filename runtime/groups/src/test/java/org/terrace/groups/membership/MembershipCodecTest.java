package org.terrace.groups.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;

/**
 * The bytes of the membership's messages, held by their checksum in each version of the protocol:
 * who changes them raises {@link Group#PROTOCOL_VERSION} and goes on writing those of before.
 */
class MembershipCodecTest {
  private static final ProtocolVersions OLD = new ProtocolVersions(3, 3);
  private static final ProtocolVersions NEW = new ProtocolVersions(3, 4);
  private static final InetSocketAddress SOMEWHERE = InetSocketAddress.createUnresolved("x", 1);

  private static Member member(String name, int second) {
    long start = (1_700_000_000L + second) * 1_000_000_000L;
    return new Member(
        name, Member.idAt(name, start), InetSocketAddress.createUnresolved(name + ".host", 4_711));
  }

  private static MembershipMessage message(
      MembershipMessage.Kind kind, ProtocolVersions understood, boolean tellsVersions) {
    @Nullable Member subject = kind.ordinal() % 2 == 0 ? member("subject", 2) : null;
    List<Rumor> rumors = new ArrayList<>();
    for (Rumor.State state : Rumor.State.values()) {
      Member about = member("ü" + state, state.ordinal());
      boolean isKnown = tellsVersions && state != Rumor.State.DEAD;
      rumors.add(new Rumor(about, state, state.ordinal(), 77, isKnown ? NEW : null));
    }
    return new MembershipMessage(kind, member("from", 1), understood, 5, 1L << 40, subject, rumors);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static String checksum(ProtocolVersions understood, int version) {
    CRC32C crc = new CRC32C();
    for (MembershipMessage.Kind kind : MembershipMessage.Kind.values()) {
      crc.update(MembershipCodec.encode(message(kind, understood, true), version));
    }
    return Integer.toHexString((int) crc.getValue());
  }

  @Test
  void theBytesOfEachVersionStayAsTheyAre() {
    assertThat(
            List.of(
                "of a member of version 3: " + checksum(OLD, 3),
                "version 3 to one who may know more: " + checksum(NEW, 3),
                "version 4: " + checksum(NEW, 4)))
        .containsExactly(
            "of a member of version 3: 1357849e",
            "version 3 to one who may know more: 5784154c",
            "version 4: 63c5664e");
  }

  @Test
  void aMessageIsReadAsItWasWritten() {
    for (MembershipMessage.Kind kind : MembershipMessage.Kind.values()) {
      MembershipMessage told = message(kind, NEW, true);
      MembershipMessage untold = message(kind, NEW, false);

      assertThat(MembershipCodec.decode(MembershipCodec.encode(told, 4))).isEqualTo(told);
      assertThat(MembershipCodec.decode(MembershipCodec.encode(told, 3)))
          .as("version 3 has no place for what others understand")
          .isEqualTo(untold);
      MembershipMessage old = message(kind, OLD, false);
      assertThat(MembershipCodec.decode(MembershipCodec.encode(old, 3))).isEqualTo(old);
    }
  }

  @Test
  void whoReadsVersion3AloneFindsItsFieldsBeforeTheAnnex() {
    byte[] old = bytes(MembershipCodec.encode(message(MembershipMessage.Kind.PING, OLD, true), 3));
    byte[] annexed =
        bytes(MembershipCodec.encode(message(MembershipMessage.Kind.PING, NEW, true), 3));

    assertThat(Arrays.copyOf(annexed, old.length)).isEqualTo(old);
    assertThat(annexed).hasSize(old.length + 3);
  }

  @Test
  void whatALaterVersionAppendsToARecordOrAMessageIsSkipped() {
    byte[] appended = {9, 8, 7};
    for (MembershipMessage.Kind kind : MembershipMessage.Kind.values()) {
      MembershipMessage message = message(kind, new ProtocolVersions(4, 5), true);

      assertThat(bytes(MembershipCodec.encode(message, 4)))
          .as("the layout")
          .isEqualTo(bytes(layout(message, new byte[0])));
      assertThat(MembershipCodec.decode(layout(message, appended))).isEqualTo(message);
    }
    ByteBuffer annexed = MembershipCodec.encode(message(MembershipMessage.Kind.SYNC, NEW, true), 3);
    ByteBuffer longer =
        ByteBuffer.allocate(annexed.remaining() + 2).put(annexed).put(new byte[] {1, 1}).flip();
    longer.put(longer.limit() - 5, (byte) 4);
    assertThat(MembershipCodec.decode(longer))
        .isEqualTo(message(MembershipMessage.Kind.SYNC, NEW, false));
  }

  /** The message in version 4 as a later build might write it: each record ends with more. */
  private static ByteBuffer layout(MembershipMessage message, byte[] appended) {
    ByteBuffer out = ByteBuffer.allocate(10_000);
    out.put((byte) 4).put((byte) message.kind().ordinal());
    ByteBuffer sender = record(message.from()).putInt(message.refutation());
    putRecord(out, versions(sender, message.understood()).put(appended));
    out.putLong(message.sequence());
    Member subject = message.subject();
    putRecord(out, subject == null ? ByteBuffer.allocate(1) : record(subject).put(appended));
    out.putShort((short) message.rumors().size());
    for (Rumor rumor : message.rumors()) {
      ByteBuffer record = record(rumor.subject()).put((byte) rumor.state().ordinal());
      record.putInt(rumor.refutation()).putLong(rumor.accuser());
      putRecord(out, versions(record, rumor.understood()).put(appended));
    }
    return out.put(appended).flip();
  }

  private static ByteBuffer record(Member member) {
    byte[] name = member.name().getBytes(StandardCharsets.UTF_8);
    byte[] host = member.address().getHostString().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(500)
        .putLong(member.id())
        .putShort((short) name.length)
        .put(name)
        .putShort((short) host.length)
        .put(host)
        .putShort((short) member.address().getPort());
  }

  private static ByteBuffer versions(ByteBuffer record, @Nullable ProtocolVersions versions) {
    return record
        .put((byte) (versions == null ? 0 : versions.least()))
        .put((byte) (versions == null ? 0 : versions.most()));
  }

  private static void putRecord(ByteBuffer out, ByteBuffer record) {
    record.flip();
    out.putShort((short) record.remaining()).put(record);
  }

  @Test
  void aPartOfAMessageIsNoMessageAndDoesNoHarm() {
    for (int version = 3; version <= 4; version++) {
      MembershipMessage message = message(MembershipMessage.Kind.PING, NEW, true);
      byte[] whole = bytes(MembershipCodec.encode(message, version));
      int withoutAnnex = version == 3 ? whole.length - 3 : -1;
      for (int length = 0; length < whole.length; length++) {
        assertThat(MembershipCodec.decode(ByteBuffer.wrap(whole, 0, length)) != null)
            .as("%d of %d bytes of version %d", length, whole.length, version)
            .isEqualTo(length == withoutAnnex);
      }
    }
  }

  @Test
  void aRefusalWithAVersionThatIsSpokenHereCorrectsAndAnyOtherExcludes() {
    assertThat(decode(NEW, 0, 3, 1)).isEqualTo(new MembershipEvent.Corrected(SOMEWHERE, 3));
    assertThat(decode(NEW, 0, 2, 7)).isEqualTo(new MembershipEvent.Incompatible(SOMEWHERE, 2, 7));
    assertThat(decode(NEW, 0, 5, 1)).isEqualTo(new MembershipEvent.Incompatible(SOMEWHERE, 5, 1));
    assertThat(decode(NEW, 5, 5, 5)).isEqualTo(new MembershipEvent.Incompatible(SOMEWHERE, 5, 0));
    assertThat(decode(OLD, 4, 0, 0)).isEqualTo(new MembershipEvent.Incompatible(SOMEWHERE, 4, 0));
    assertThat(decode(NEW, 0, 3, 0)).isNull();
    assertThat(decode(NEW, 0, -3, 1)).isNull();
  }

  private static @Nullable MembershipEvent decode(ProtocolVersions own, int... bytes) {
    ByteBuffer in = ByteBuffer.allocate(bytes.length);
    for (int one : bytes) {
      in.put((byte) one);
    }
    return MembershipCodec.decodeEvent(in.flip(), own, SOMEWHERE);
  }
}
