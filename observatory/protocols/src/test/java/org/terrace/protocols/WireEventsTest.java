package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.CaptureSource;

/** Events of TCP beyond data carried, and of what the capture says it dropped. */
class WireEventsTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLIS = 1_000_000L;
  private static final String SERVER = "127.0.2.1:8080";
  private static final String GET = "GET / HTTP/1.1\r\nHost: board\r\n\r\n";
  private static final byte[] GET_BYTES = GET.getBytes(StandardCharsets.US_ASCII);
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  private static final int DATA = TcpCapture.ACK | TcpCapture.PSH;
  private static final int WINDOW_AT = 16 + 14 + 20 + 14;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TcpCapture capture = TcpCapture.inMemory(bytes);
  private final TcpCapture.Connection connection =
      capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);

  private List<Event> events() {
    return read(bytes.toByteArray());
  }

  private static List<Event> read(byte[] capture) {
    return CaptureReader.read(
            CaptureSource.stream("test", new ByteArrayInputStream(capture)),
            ReadOptions.defaults(),
            request -> {})
        .events();
  }

  private void get(long millis, int sequence, int acknowledgement) {
    connection.segment(
        true,
        START + millis * MILLIS,
        DATA,
        sequence,
        acknowledgement,
        GET_BYTES,
        0,
        GET_BYTES.length);
  }

  @Test
  void dataSentAgainAreToldByWhenTheyWereSentBefore() {
    connection.open(START);
    int sequence = connection.sequence(true);
    int acknowledgement = connection.sequence(false);
    connection.send(true, START + MILLIS, GET);
    get(31, sequence, acknowledgement);
    get(240, sequence, acknowledgement);
    connection.send(false, START + 250 * MILLIS, OK);

    assertThat(events())
        .extracting(Event::node, Event::kind, Event::startNanos, Event::endNanos, Event::attributes)
        .containsExactly(
            tuple(
                SERVER,
                EventKinds.TCP_RETRANSMISSION,
                START + MILLIS,
                START + 31 * MILLIS,
                Map.of("by", "client", "connection", "0", "frame", "5")),
            tuple(
                SERVER,
                EventKinds.TCP_TIMEOUT,
                START + 31 * MILLIS,
                START + 240 * MILLIS,
                Map.of("by", "client", "connection", "0", "frame", "6")));
  }

  @Test
  void packetsThatPassEachOtherAreNotSentAgainButThoseThatComeLateAre() {
    connection.open(START);
    int sequence = connection.sequence(true);
    int acknowledgement = connection.sequence(false);
    int length = GET_BYTES.length;
    get(1, sequence + length, acknowledgement);
    get(2, sequence, acknowledgement);
    get(10, sequence + 3 * length, acknowledgement);
    get(40, sequence + 2 * length, acknowledgement);

    assertThat(events())
        .extracting(Event::kind, Event::startNanos, Event::endNanos)
        .containsExactly(
            tuple(EventKinds.TCP_RETRANSMISSION, START + 10 * MILLIS, START + 40 * MILLIS));
  }

  @Test
  void probesOfAnIdleConnectionAreNotDataSentAgain() {
    connection.open(START);
    connection.send(true, START + MILLIS, GET);
    connection.send(false, START + 2 * MILLIS, OK);
    connection.segment(
        true,
        START + 9_000 * MILLIS,
        TcpCapture.ACK,
        connection.sequence(true) - 1,
        connection.sequence(false),
        new byte[1],
        0,
        1);

    assertThat(events()).isEmpty();
  }

  @Test
  void handshakesThatAreRepeatedAndRefusedAreTold() {
    int sequence = connection.sequence(true);
    connection.segment(true, START, TcpCapture.SYN, sequence, 0, new byte[0], 0, 0);
    connection.open(START + 1_000 * MILLIS);
    connection.segment(
        false,
        START + 2_000 * MILLIS,
        TcpCapture.SYN | TcpCapture.ACK,
        connection.sequence(false) - 1,
        connection.sequence(true),
        new byte[0],
        0,
        0);
    TcpCapture.Connection other = capture.connection("127.0.9.1", 40_001, "127.0.2.1", 9);
    other.segment(true, START + 3_000 * MILLIS, TcpCapture.SYN, 7, 0, new byte[0], 0, 0);
    other.segment(
        false, START + 3_001 * MILLIS, TcpCapture.RST | TcpCapture.ACK, 0, 8, new byte[0], 0, 0);
    connection.reset(true, START + 4_000 * MILLIS);

    assertThat(events())
        .extracting(
            Event::node,
            Event::kind,
            Event::startNanos,
            Event::endNanos,
            event -> event.attributes().get("by"))
        .containsExactly(
            tuple(SERVER, EventKinds.TCP_REPEATED_SYN, START, START + 1_000 * MILLIS, "client"),
            tuple(
                SERVER,
                EventKinds.TCP_REPEATED_SYN_ACK,
                START + 1_000 * MILLIS + 10,
                START + 2_000 * MILLIS,
                "server"),
            tuple(
                "127.0.2.1:9",
                EventKinds.TCP_REFUSED,
                START + 3_000 * MILLIS,
                START + 3_001 * MILLIS,
                "server"),
            tuple(
                SERVER,
                EventKinds.TCP_RESET,
                START + 4_000 * MILLIS,
                START + 4_000 * MILLIS,
                "client"));
  }

  @Test
  void sideWithoutRoomIsToldUntilItTakesDataAgain() {
    connection.open(START);
    connection.send(true, START + MILLIS, GET);
    long full = capture.bytesWritten();
    connection.acknowledge(false, START + 2 * MILLIS);
    long stillFull = capture.bytesWritten();
    connection.acknowledge(false, START + 200 * MILLIS);
    connection.acknowledge(false, START + 300 * MILLIS);
    byte[] changed = bytes.toByteArray();
    for (long at : List.of(full, stillFull)) {
      changed[(int) at + WINDOW_AT] = 0;
      changed[(int) at + WINDOW_AT + 1] = 0;
    }

    assertThat(read(changed))
        .extracting(Event::node, Event::kind, Event::startNanos, Event::endNanos)
        .containsExactly(
            tuple(SERVER, EventKinds.TCP_ZERO_WINDOW, START + 2 * MILLIS, START + 300 * MILLIS));
    assertThat(read(Arrays.copyOf(changed, (int) stillFull)))
        .extracting(Event::kind)
        .containsExactly(EventKinds.TCP_ZERO_WINDOW);
  }

  private static void block(ByteBuffer file, int type, ByteBuffer body) {
    body.flip();
    int length = 12 + body.remaining();
    file.putInt(type).putInt(length).put(body).putInt(length);
  }

  private static ByteBuffer body() {
    return ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void dropsAreToldWithTheirTimes() {
    ByteBuffer file = ByteBuffer.allocate(2_000).order(ByteOrder.LITTLE_ENDIAN);
    block(file, 0x0a0d0d0a, body().putInt(0x1a2b3c4d).putInt(1).putLong(-1));
    block(file, 1, body().putShort((short) 1).putShort((short) 0).putInt(0));
    for (int second = 1; second <= 3; second++) {
      ByteBuffer packet =
          body().putInt(0).putInt(0).putInt(second * 1_000_000).putInt(4).putInt(60);
      packet.putInt(0);
      if (second == 2) {
        packet.putShort((short) 4).putShort((short) 8).putLong(17).putInt(0);
      }
      block(file, 6, packet);
    }
    for (int report = 1; report <= 2; report++) {
      ByteBuffer statistics = body().putInt(0).putInt(0).putInt((3 + report) * 1_000_000);
      statistics.putShort((short) 5).putShort((short) 8).putLong(report * 20L).putInt(0);
      block(file, 5, statistics);
    }
    byte[] capture = new byte[file.position()];
    file.flip().get(capture);

    assertThat(read(capture))
        .extracting(Event::kind, Event::startNanos, Event::endNanos, Event::attributes)
        .containsExactly(
            tuple(
                EventKinds.CAPTURE_DROPS, 1_000_000_000L, 2_000_000_000L, Map.of("packets", "17")),
            tuple(EventKinds.CAPTURE_DROPS, 1_000_000_000L, 4_000_000_000L, Map.of("packets", "3")),
            tuple(
                EventKinds.CAPTURE_DROPS, 4_000_000_000L, 5_000_000_000L, Map.of("packets", "20")));
  }
}
