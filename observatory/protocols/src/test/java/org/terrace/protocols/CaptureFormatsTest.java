package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.observation.Exchange;
import org.terrace.observation.Request;
import org.terrace.observation.Server;
import org.terrace.protocols.captures.Captures;
import org.terrace.wire.statistics.WireCount;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** The same real exchange in every format, byte order, link layer and compression. */
class CaptureFormatsTest {
  private static final int ETHERNET_BYTES = 14;
  private static final byte[] PCAP = Captures.resource("http.pcap");
  private static final List<Packet> PACKETS = packets(PCAP);
  private static final List<Request> REQUESTS = Captures.read(PCAP).requests();

  private record Packet(long micros, byte[] bytes) {
    byte[] ip() {
      return Arrays.copyOfRange(bytes, ETHERNET_BYTES, bytes.length);
    }

    byte[] behind(byte... header) {
      byte[] ip = ip();
      byte[] joined = Arrays.copyOf(header, header.length + ip.length);
      System.arraycopy(ip, 0, joined, header.length, ip.length);
      return joined;
    }
  }

  private interface Framing {
    byte[] frame(Packet packet);
  }

  private static List<Packet> packets(byte[] pcap) {
    ByteBuffer file = ByteBuffer.wrap(pcap).order(ByteOrder.LITTLE_ENDIAN).position(24);
    List<Packet> packets = new ArrayList<>();
    while (file.hasRemaining()) {
      long micros = file.getInt() * 1_000_000L + file.getInt();
      byte[] bytes = new byte[file.getInt()];
      file.getInt();
      file.get(bytes);
      packets.add(new Packet(micros, bytes));
    }
    return packets;
  }

  private static byte[] pcap(ByteOrder order, boolean nanos, int linkType, Framing framing) {
    ByteBuffer file = ByteBuffer.allocate(PCAP.length * 2).order(order);
    file.putInt(nanos ? 0xa1b23c4d : 0xa1b2c3d4).putInt(0x00040002).putLong(0);
    file.putInt(262_144).putInt(linkType);
    for (Packet packet : PACKETS) {
      byte[] frame = framing.frame(packet);
      int fraction = (int) (packet.micros % 1_000_000);
      file.putInt((int) (packet.micros / 1_000_000)).putInt(nanos ? fraction * 1_000 : fraction);
      file.putInt(frame.length).putInt(frame.length).put(frame);
    }
    return Arrays.copyOf(file.array(), file.position());
  }

  private static void block(ByteBuffer file, int type, byte[] body) {
    int padded = (body.length + 3) & ~3;
    file.putInt(type)
        .putInt(12 + padded)
        .put(body)
        .position(file.position() + padded - body.length);
    file.putInt(12 + padded);
  }

  private static byte[] body(ByteOrder order, Consumer<ByteBuffer> content) {
    ByteBuffer body = ByteBuffer.allocate(70_000).order(order);
    content.accept(body);
    return Arrays.copyOf(body.array(), body.position());
  }

  /** Two sections, unknown blocks, names, drops, and times in units of 2^-20 s with an offset. */
  private static byte[] pcapng(ByteOrder order) {
    ByteBuffer file = ByteBuffer.allocate(PCAP.length * 2).order(order);
    long offsetSeconds = 1_000_000_000;
    for (int section = 0; section < 2; section++) {
      int from = section * PACKETS.size() / 2;
      int to = (section + 1) * PACKETS.size() / 2;
      block(file, 0x0a0d0d0a, body(order, b -> b.putInt(0x1a2b3c4d).putInt(1).putLong(-1)));
      block(
          file,
          1,
          body(
              order,
              b -> {
                b.putShort((short) 1).putShort((short) 0).putInt(0);
                b.putShort((short) 9).putShort((short) 1).put((byte) 0x94).put(new byte[3]);
                b.putShort((short) 14).putShort((short) 8).putLong(offsetSeconds).putInt(0);
              }));
      block(file, 0x0bad, new byte[33]);
      block(file, 4, body(order, b -> names(b)));
      for (Packet packet : PACKETS.subList(from, to)) {
        long sinceOffset = packet.micros - offsetSeconds * 1_000_000;
        long ticks =
            ((sinceOffset / 1_000_000) << 20)
                + Math.ceilDiv((sinceOffset % 1_000_000) << 20, 1_000_000L);
        block(
            file,
            6,
            body(
                order,
                b -> {
                  b.putInt(0).putInt((int) (ticks >>> 32)).putInt((int) ticks);
                  b.putInt(packet.bytes.length).putInt(packet.bytes.length).put(packet.bytes);
                }));
      }
      block(
          file,
          5,
          body(
              order,
              b -> {
                b.putInt(0).putLong(0).putShort((short) 5).putShort((short) 8).putLong(3);
                b.putShort((short) 7).putShort((short) 8).putLong(1).putInt(0);
              }));
    }
    return Arrays.copyOf(file.array(), file.position());
  }

  private static void names(ByteBuffer body) {
    byte[] name = "app1\0".getBytes(StandardCharsets.US_ASCII);
    body.putShort((short) 1).putShort((short) (4 + name.length));
    body.put(new byte[] {127, 11, 2, 1}).put(name).put(new byte[3]).putInt(0);
  }

  @Test
  void pcapOfEveryByteOrderAndResolutionGivesTheSame() {
    assertThat(REQUESTS).hasSize(30);
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      for (boolean nanos : List.of(false, true)) {
        assertThat(Captures.read(pcap(order, nanos, 1, Packet::bytes)).requests())
            .isEqualTo(REQUESTS);
      }
    }
  }

  @Test
  void everyLinkLayerGivesTheSame() {
    byte[] cooked = new byte[16];
    cooked[14] = 8;
    byte[] cooked2 = new byte[20];
    cooked2[0] = 8;
    byte[] tagged = new byte[22];
    tagged[12] = (byte) 0x88;
    tagged[13] = (byte) 0xa8;
    tagged[16] = (byte) 0x81;
    tagged[20] = 8;
    record Link(int type, byte[] header) {}
    List<Link> links =
        List.of(
            new Link(113, cooked),
            new Link(276, cooked2),
            new Link(1, tagged),
            new Link(0, new byte[] {2, 0, 0, 0}),
            new Link(0, new byte[] {0, 0, 0, 2}),
            new Link(108, new byte[] {0, 0, 0, 2}),
            new Link(101, new byte[0]),
            new Link(12, new byte[0]),
            new Link(228, new byte[0]));
    for (Link link : links) {
      byte[] capture =
          pcap(ByteOrder.LITTLE_ENDIAN, false, link.type, packet -> packet.behind(link.header));
      assertThat(Captures.read(capture).requests())
          .as("link type %d", link.type)
          .isEqualTo(REQUESTS);
    }
  }

  @Test
  void pcapngOfTwoSectionsGivesTheSameWithNamesAndDrops() {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      Captures.Reading reading = Captures.read(pcapng(order));

      assertThat(reading.requests())
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields(
              "server",
              "intendedNanos",
              "arrivalNanos",
              "departureNanos",
              "exchange.requestEndNanos",
              "exchange.responseStartNanos")
          .isEqualTo(REQUESTS);
      for (int i = 0; i < REQUESTS.size(); i++) {
        assertThat(reading.requests().get(i).arrivalNanos())
            .isBetween(REQUESTS.get(i).arrivalNanos(), REQUESTS.get(i).arrivalNanos() + 1_000);
      }
      assertThat(reading.result().servers())
          .containsExactly(new Server("app1", "app", List.of("127.11.2.1:8080")));
      assertThat(reading.result().statistics().droppedPackets()).isEqualTo(8);
      assertThat(reading.result().statistics().of(WireCount.DAMAGED_RECORDS)).isZero();
    }
  }

  private interface Packer {
    OutputStream pack(OutputStream to) throws IOException;
  }

  @Test
  void compressedCapturesAreRecognised() throws IOException {
    List<Packer> packers =
        List.of(
            GZIPOutputStream::new,
            ZstdOutputStream::new,
            to -> new XZOutputStream(to, new LZMA2Options()));
    for (Packer packer : packers) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream output = packer.pack(packed)) {
        output.write(PCAP);
      }
      assertThat(Captures.read(packed.toByteArray()).requests()).isEqualTo(REQUESTS);
    }
  }

  @Test
  void truncatedCompressionSaysWhatIsLost() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream output = new GZIPOutputStream(packed)) {
      output.write(PCAP);
    }
    Captures.Reading reading =
        Captures.read(Arrays.copyOf(packed.toByteArray(), packed.size() * 3 / 4));

    assertThat(reading.requests()).hasSizeBetween(5, 29);
    assertThat(reading.result().statistics().of(WireCount.TRUNCATED_FILES)).isPositive();
    assertThatThrownBy(() -> Captures.read(Arrays.copyOf(packed.toByteArray(), 20)))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cut short");
  }

  @Test
  void packetsOutOfTimeOrderArePutInOrder() {
    List<byte[]> records = new ArrayList<>();
    ByteBuffer file = ByteBuffer.wrap(PCAP).order(ByteOrder.LITTLE_ENDIAN).position(24);
    while (file.hasRemaining()) {
      byte[] record = new byte[16 + file.getInt(file.position() + 8)];
      file.get(record);
      records.add(record);
    }
    ByteArrayOutputStream disordered = new ByteArrayOutputStream();
    disordered.write(PCAP, 0, 24);
    for (int i = 0; i + 7 < records.size() + 7; i += 7) {
      for (int j = Math.min(i + 7, records.size()) - 1; j >= i; j--) {
        disordered.writeBytes(records.get(j));
      }
    }
    Captures.Reading reading = Captures.read(disordered.toByteArray());

    assertThat(reading.requests())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields(
            "exchange.firstFrame", "exchange.lastFrame")
        .isEqualTo(REQUESTS);
    // Packets keep the numbers that they have in the file, of which every seven are turned round.
    Exchange first = REQUESTS.getFirst().exchange();
    assertThat(reading.requests().getFirst().exchange())
        .extracting(Exchange::firstFrame, Exchange::lastFrame)
        .containsExactly(8 - first.firstFrame(), 8 - first.lastFrame());
    assertThat(reading.result().statistics().of(WireCount.LATE_PACKETS)).isZero();
  }
}
