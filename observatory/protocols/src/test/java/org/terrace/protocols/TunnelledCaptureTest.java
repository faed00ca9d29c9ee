package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.TunnelledCapture.Kind;
import org.terrace.protocols.captures.Captures;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.statistics.WireCount;

/** Packets in tunnels are read as they would be without them, and once where they show twice. */
class TunnelledCaptureTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLIS = 1_000_000L;
  private static final int REQUESTS = 20;
  private static final byte[] PLAIN = Captures.resource("pgsql.pcap");

  /** A request without the numbers of its packets. */
  private static List<Object> told(Request request) {
    return List.of(
        request.server(),
        request.requestClass(),
        request.client(),
        request.arrivalNanos(),
        request.departureNanos(),
        request.bytesIn(),
        request.bytesOut(),
        request.outcome());
  }

  private static List<List<Object>> told(byte[] capture) {
    return Captures.read(capture).requests().stream().map(TunnelledCaptureTest::told).toList();
  }

  @ParameterizedTest
  @EnumSource
  void requestsInATunnelAreThoseOutsideOfIt(Kind kind) {
    Captures.Reading plain = Captures.read(PLAIN);
    Captures.Reading tunnelled = Captures.read(TunnelledCapture.of(PLAIN, kind));

    assertThat(tunnelled.requests()).isEqualTo(plain.requests()).isNotEmpty();
    assertThat(tunnelled.result().statistics().of(WireCount.TUNNELLED_PACKETS))
        .isEqualTo(TunnelledCapture.size(PLAIN));
    assertThat(plain.result().statistics().of(WireCount.TUNNELLED_PACKETS)).isZero();
    assertThat(tunnelled.result().losses()).isEqualTo(plain.result().losses());
  }

  @ParameterizedTest
  @EnumSource
  void packetsThatShowInsideAndOutsideCountOnce(Kind kind) {
    byte[] tunnelled = TunnelledCapture.of(PLAIN, kind);
    Captures.Reading plain = Captures.read(PLAIN);
    for (byte[] both :
        List.of(
            TunnelledCapture.joined(PLAIN, tunnelled), TunnelledCapture.joined(tunnelled, PLAIN))) {
      Captures.Reading read = Captures.read(both);

      assertThat(read.requests().stream().map(TunnelledCaptureTest::told))
          .isEqualTo(plain.requests().stream().map(TunnelledCaptureTest::told).toList());
      assertThat(read.result().statistics().of(WireCount.DUPLICATE_PACKETS))
          .isEqualTo(
              TunnelledCapture.size(PLAIN)
                  + plain.result().statistics().of(WireCount.DUPLICATE_PACKETS));
      assertThat(read.result().statistics().of(WireCount.RETRANSMITTED_SEGMENTS))
          .isEqualTo(plain.result().statistics().of(WireCount.RETRANSMITTED_SEGMENTS));
    }
  }

  /** Requests whose answers go in segments of a size, each packet so many nanoseconds later. */
  private static byte[] answered(int segmentBytes, long laterNanos, boolean again)
      throws IOException {
    return answered(segmentBytes, laterNanos, again, 0);
  }

  private static byte[] answered(
      int segmentBytes, long laterNanos, boolean again, int sequencesLater) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      TcpCapture.Connection connection = capture.connection("10.0.0.1", 40_000, "10.0.0.2", 8080);
      byte[] body = new byte[20_000];
      connection.lose(true, sequencesLater);
      connection.lose(false, sequencesLater);
      connection.open(START + laterNanos);
      for (int i = 1; i <= REQUESTS; i++) {
        long at = START + 10L * i * MILLIS + laterNanos;
        connection.send(true, at, "GET /x HTTP/1.1\r\nHost: shop\r\n\r\n");
        int first = connection.sequence(false);
        byte[] head =
            ("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        connection.send(false, at + MILLIS, head, segmentBytes);
        connection.send(false, at + MILLIS, body, segmentBytes);
        if (again && i % 5 == 0) {
          connection.segment(
              false,
              at + 4 * MILLIS,
              TcpCapture.ACK | TcpCapture.PSH,
              first,
              connection.sequence(true),
              head,
              0,
              head.length);
        }
        connection.acknowledge(true, at + 5 * MILLIS);
      }
      connection.close(START + 1_000 * MILLIS + laterNanos);
    }
    return bytes.toByteArray();
  }

  private static List<Event> events(byte[] capture) {
    return Captures.read(capture).result().events().stream()
        .filter(event ->
            event.kind().equals(EventKinds.TCP_RETRANSMISSION)
                || event.kind().equals(EventKinds.TCP_TIMEOUT))
        .toList();
  }

  /** A card or the kernel cuts large segments behind the place where the inner packets show. */
  @Test
  void segmentsThatAreCutOnTheirWayIntoATunnelCountOnce() throws IOException {
    byte[] large = answered(20_000, 0, false);
    byte[] small = answered(1_400, 5_000, false);
    byte[] sent = TunnelledCapture.joined(large, TunnelledCapture.of(small, Kind.VXLAN));
    byte[] received =
        TunnelledCapture.joined(
            TunnelledCapture.of(answered(1_400, 0, false), Kind.VXLAN),
            answered(20_000, 5_000, false));

    assertThat(told(sent)).isEqualTo(told(large)).hasSize(REQUESTS);
    assertThat(told(received)).isEqualTo(told(large));
    assertThat(events(sent)).isEmpty();
    assertThat(events(received)).isEmpty();
    assertThat(Captures.read(sent).result().statistics().of(WireCount.RETRANSMITTED_SEGMENTS))
        .isZero();
  }

  @Test
  void segmentsThatWereSentAgainAreToldOnce() throws IOException {
    byte[] plain = answered(1_400, 0, true);
    byte[] both =
        TunnelledCapture.joined(
            plain, TunnelledCapture.of(answered(1_400, 5_000, true), Kind.GENEVE));

    assertThat(events(plain)).hasSize(REQUESTS / 5);
    assertThat(events(both)).hasSameSizeAs(events(plain));
    assertThat(told(both)).isEqualTo(told(plain));
  }

  /**
   * Ports are used again, and the next connection may take another way. It begins at numbers of its
   * own, which grow with time (RFC 6528).
   */
  @Test
  void connectionsOfTheSamePortsAreToldApart() throws IOException {
    byte[] first = answered(1_400, 0, false);
    byte[] second = answered(1_400, 2_000 * MILLIS, false, 30_000_000);

    assertThat(told(TunnelledCapture.joined(first, TunnelledCapture.of(second, Kind.VXLAN))))
        .hasSize(2 * REQUESTS);
    assertThat(told(TunnelledCapture.joined(TunnelledCapture.of(first, Kind.VXLAN), second)))
        .hasSize(2 * REQUESTS);
  }

  /**
   * Three pages through each of two VXLAN devices of Linux (ports 4789 and 8472), recorded by
   * {@code tcpdump -i any} on one of the two hosts: each packet shows in the device and in the
   * tunnel.
   */
  @Test
  void pagesThroughRealDevicesCountOnce() {
    Captures.Reading read = Captures.read(Captures.resource("tunnels.pcap.gz"));

    assertThat(read.requests())
        .extracting(Request::client, Request::requestClass, Request::outcome)
        .hasSize(6)
        .containsOnly(
            tuple("10.77.1.1", "GET /page", Outcome.OK),
            tuple("10.77.2.1", "GET /page", Outcome.OK));
    assertThat(read.connections()).hasSize(6);
    assertThat(read.result().statistics().of(WireCount.DUPLICATE_PACKETS))
        .isEqualTo(read.result().statistics().of(WireCount.TUNNELLED_PACKETS))
        .isPositive();
    assertThat(read.result().events())
        .extracting(Event::kind)
        .doesNotContain(
            EventKinds.TCP_RETRANSMISSION, EventKinds.TCP_TIMEOUT, EventKinds.TCP_REPEATED_SYN);
  }
}
