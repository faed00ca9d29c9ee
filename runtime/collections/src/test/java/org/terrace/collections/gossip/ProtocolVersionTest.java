package org.terrace.collections.gossip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.terrace.collections.structures.ClocksTold;
import org.terrace.collections.structures.RatelessSketch;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.collections.structures.messages.DeltaSections;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.VersionedKind;

/**
 * The bytes of the messages between replicas, held by their checksum in each version of the
 * protocol that is understood: whoever changes them raises {@link Group#PROTOCOL_VERSION}, goes on
 * writing those of the versions before to whom understands no later one, and adds a line here.
 */
class ProtocolVersionTest {
  private static final long SECOND = 1_000_000_000L;

  private static VersionVector vector() {
    VersionVector vector = new VersionVector();
    long before = Member.idAt("a", SECOND);
    long now = Member.idAt("a", 2 * SECOND);
    vector.add(before, 1);
    vector.add(now, 1);
    vector.add(now, 3);
    vector.add(Member.idAt("b", SECOND), 1);
    vector.roster().enrol(now);
    vector.roster().enrol(Member.idAt("c", SECOND));
    vector.retireBefore(now);
    return vector;
  }

  private static byte[] inVersion(int version, Encoder message) {
    byte[] bytes = message.toBytes();
    VersionedKind.setVersion(bytes, version);
    return bytes;
  }

  private static byte[] messages(int version) {
    Encoder out = new Encoder();
    Dot dot = new Dot(Member.idAt("a", SECOND), 7);
    out.putBytes(
        inVersion(version, new Digest(1, vector(), 2, 3, 4, ClocksTold.ofWall(5)).encode()));
    byte[] put =
        new Delta(9, new byte[] {1}, List.of(dot), 11, 12, new byte[] {2}, Delta.Order.ANY)
            .encode(new Encoder());
    byte[] removal =
        Delta.removal(9, new byte[] {1}, List.of(dot), Delta.Order.AFTER_ALL).encode(new Encoder());
    DeltaSections sections = new DeltaSections();
    sections.add(dot.writer(), 8, List.of(put, removal));
    Encoder deltas = sections.toMessage(Message.DELTAS, Message.FLAG_ACKNOWLEDGE);
    out.putBytes(inVersion(version, deltas));
    new StateEntry(9, new byte[] {1}, dot, 11, 12, new byte[] {2}, -13, true).encode(out);
    RatelessSketch.of(List.of(1L, 2L, 3L), 4).encode(out);
    int[] kinds = {
      Message.DELTAS,
      Message.ACK,
      Message.REQUEST,
      Message.DIGEST,
      Message.SKETCH_REQUEST,
      Message.SKETCH,
      Message.FETCH,
      Message.ENTRIES,
      Message.BULK_REQUEST,
      Message.BULK
    };
    for (int kind : kinds) {
      Encoder first = new Encoder();
      first.putByte(kind);
      out.putByte(inVersion(version, first)[0]);
    }
    return out.toBytes();
  }

  @Test
  void theBytesOfEachVersionStayAsTheyAre() {
    List<String> checksums = new ArrayList<>();
    for (int i = Group.PROTOCOL_VERSION_LEAST; i <= Group.PROTOCOL_VERSION; i++) {
      CRC32C crc = new CRC32C();
      byte[] bytes = messages(i);
      crc.update(bytes, 0, bytes.length);
      checksums.add("version " + i + ": " + Long.toHexString(crc.getValue()));
    }

    assertThat(checksums).containsExactly("version 3: 331e4ff3", "version 4: 2a8e40d6");
  }

  /** Earlier builds read no further than the wall clock, and send no more. */
  @Test
  void aDigestTellsTheCourseOfTheTimeBehindWhatEarlierBuildsRead() {
    ClocksTold course = new ClocksTold(5, ClocksTold.LASTING, 6, 7);
    byte[] with = new Digest(1, vector(), 2, 3, 4, course).encode().toBytes();
    byte[] without = new Digest(1, vector(), 2, 3, 4, ClocksTold.ofWall(5)).encode().toBytes();

    assertThat(with).startsWith(without);
    assertThat(clocksOf(with)).isEqualTo(course);
    assertThat(clocksOf(without)).isEqualTo(ClocksTold.ofWall(5));
  }

  private static ClocksTold clocksOf(byte[] digest) {
    Decoder in = new Decoder(digest);
    assertThat(in.getByte()).isEqualTo(Message.DIGEST);
    return Digest.decode(in).clocks();
  }
}
