package org.terrace.wire.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

class SecretsBlockTest {
  private static final int TLS = 0x544c_534b;
  private static final int SSH = 0x5353_484b;
  private static final int PACKET_BYTES = 60;

  /** Key logs as they come out, whole, and the packets. */
  private static final class Received implements CaptureSecrets {
    private final List<String> logs = new ArrayList<>();
    private final StringBuilder open = new StringBuilder();
    private final Counters counters = new Counters();
    private int packets;

    @Override
    public void keyLog(byte[] bytes, int from, int to) {
      open.append(new String(bytes, from, to - from, StandardCharsets.US_ASCII));
    }

    @Override
    public void keyLogEnds() {
      logs.add(open.toString());
      open.setLength(0);
    }

    Received read(byte[] file) {
      PacketStream stream =
          new PacketStream(
              "test",
              new ByteArrayInputStream(file),
              4,
              counters,
              new HostNames(),
              this,
              PacketClock.RAW);
      while (stream.next()) {
        packets++;
      }
      return this;
    }
  }

  private static final class File {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteOrder order;

    File(ByteOrder order) {
      this.order = order;
      block(0x0a0d_0d0a, body(16).putInt(0x1a2b_3c4d).putInt(1).putLong(-1));
      block(1, body(8).putInt(order == ByteOrder.LITTLE_ENDIAN ? 1 : 1 << 16).putInt(0));
    }

    private ByteBuffer body(int length) {
      return ByteBuffer.allocate(length).order(order);
    }

    private void block(int type, ByteBuffer body) {
      int total = body.capacity() + 12;
      byte[] block = new byte[total];
      ByteBuffer.wrap(block)
          .order(order)
          .putInt(type)
          .putInt(total)
          .put(body.rewind())
          .putInt(total);
      bytes.writeBytes(block);
    }

    File secrets(int kind, byte[] secrets) {
      ByteBuffer body = body(8 + PcapngFormat.padded(secrets.length));
      block(10, body.putInt(kind).putInt(secrets.length).put(secrets));
      return this;
    }

    File packet() {
      ByteBuffer body = body(20 + PACKET_BYTES);
      block(6, body.putInt(0).putInt(0).putInt(0).putInt(PACKET_BYTES).putInt(PACKET_BYTES));
      return this;
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] longLog() {
    byte[] log = new byte[3 << 20];
    for (int i = 0; i < log.length; i++) {
      log[i] = (byte) (i % 61 == 60 ? '\n' : 'a' + i % 23);
    }
    return log;
  }

  @ParameterizedTest
  @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
  void keyLogsOfTlsComeOutAndOtherSecretsAreKept(String order) {
    File file =
        new File(order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
            .secrets(TLS, ascii("first\n"))
            .packet()
            .secrets(SSH, ascii("of another kind"))
            .packet()
            .secrets(TLS, ascii("second"))
            .packet();

    Received received = new Received().read(file.bytes.toByteArray());

    assertThat(received.logs).containsExactly("first\n", "second");
    assertThat(received.packets).isEqualTo(3);
    assertThat(received.counters.of(WireCount.DAMAGED_RECORDS)).isZero();
  }

  @Test
  void keyLogThatIsLongerThanOtherBlocksComesOutWhole() {
    byte[] log = longLog();
    File file =
        new File(ByteOrder.LITTLE_ENDIAN).packet().secrets(TLS, log).packet().secrets(SSH, log);
    file.packet();

    Received received = new Received().read(file.bytes.toByteArray());

    assertThat(received.logs).containsExactly(new String(log, StandardCharsets.US_ASCII));
    assertThat(received.packets).isEqualTo(3);
    assertThat(received.counters.of(WireCount.DAMAGED_RECORDS)).isZero();
  }

  @Test
  void fileThatEndsWithinALongKeyLogGivesTheLogUpToThere() {
    byte[] log = longLog();
    byte[] file = new File(ByteOrder.LITTLE_ENDIAN).packet().secrets(TLS, log).bytes.toByteArray();

    Received received = new Received().read(Arrays.copyOf(file, file.length - (1 << 20)));

    assertThat(received.packets).isEqualTo(1);
    assertThat(received.logs)
        .singleElement()
        .satisfies(text -> {
          // The block ends with its length, of four bytes.
          assertThat(text).hasSize((2 << 20) + 4);
          assertThat(new String(log, StandardCharsets.US_ASCII)).startsWith(text);
        });
    assertThat(received.counters.of(WireCount.TRUNCATED_FILES)).isEqualTo(1);
  }

  @Test
  void lengthsThatLieCostNothingBehindTheBlock() {
    for (int claimed : new int[] {-1, 0, 5, 1 << 30}) {
      byte[] file =
          new File(ByteOrder.LITTLE_ENDIAN)
              .secrets(TLS, ascii("abcd"))
              .packet()
              .bytes
              .toByteArray();
      // Behind the section header and the interface, in the block behind its type and length.
      ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(28 + 20 + 12, claimed);

      Received received = new Received().read(file);

      assertThat(received.packets).isEqualTo(1);
      assertThat(received.logs).containsExactly(claimed == 0 ? "" : "abcd");
    }
  }

  @Test
  void fileCutAnywhereFailsNothing() {
    byte[] file =
        new File(ByteOrder.BIG_ENDIAN)
            .secrets(TLS, ascii("some keys"))
            .packet()
            .secrets(TLS, ascii("more"))
            .bytes
            .toByteArray();
    for (int cut = 28; cut < file.length; cut++) {
      assertThat(new Received().read(Arrays.copyOf(file, cut)).packets).isLessThanOrEqualTo(1);
    }
  }
}
