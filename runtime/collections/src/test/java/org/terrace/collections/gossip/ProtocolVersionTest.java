package org.terrace.collections.gossip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.terrace.collections.structures.RatelessSketch;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.collections.structures.messages.DeltaSections;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Group;
import org.terrace.groups.Member;

/**
 * The bytes of the messages between replicas, held by their checksum: whoever changes them raises
 * the version in {@link Message} and {@link Group#PROTOCOL_VERSION}, and then this test.
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

  private static byte[] messages() {
    Encoder out = new Encoder();
    Dot dot = new Dot(Member.idAt("a", SECOND), 7);
    out.putBytes(new Digest(1, vector(), 2, 3, 4, 5).encode().toBytes());
    byte[] put =
        new Delta(9, new byte[] {1}, List.of(dot), 11, 12, new byte[] {2}, Delta.Order.ANY)
            .encode(new Encoder());
    byte[] removal =
        Delta.removal(9, new byte[] {1}, List.of(dot), Delta.Order.AFTER_ALL).encode(new Encoder());
    DeltaSections sections = new DeltaSections();
    sections.add(dot.writer(), 8, List.of(put, removal));
    out.putBytes(sections.toMessage(Message.DELTAS, Message.FLAG_ACKNOWLEDGE).toBytes());
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
      out.putByte(kind);
    }
    return out.toBytes();
  }

  @Test
  void theBytesOfThisVersionStayAsTheyAre() {
    CRC32C crc = new CRC32C();
    byte[] bytes = messages();
    crc.update(bytes, 0, bytes.length);

    assertThat("version " + Group.PROTOCOL_VERSION + ": " + Long.toHexString(crc.getValue()))
        .as("the messages are %s", HexFormat.of().formatHex(bytes))
        .isEqualTo("version 3: 331e4ff3");
  }
}
