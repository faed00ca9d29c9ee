package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.TunnelledCapture.Ends;
import org.terrace.protocols.TunnelledCapture.Kind;
import org.terrace.protocols.captures.Captures;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.statistics.WireCount;

/** Connections whose sequence numbers are anywhere in their circle, and go far around it. */
class LongConnectionTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLIS = 1_000_000L;
  private static final String GET = "GET /film HTTP/1.1\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  /** Less than a window may be, so that no number is another connection's. */
  private static final int STEP_BYTES = 60 << 20;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ByteArrayOutputStream laterBytes = new ByteArrayOutputStream();

  private static TcpCapture.Connection connection(ByteArrayOutputStream to) {
    return TcpCapture.inMemory(to).connection("10.0.0.1", 40_000, "10.0.0.2", 8080);
  }

  private static void page(TcpCapture.Connection connection, long timeNanos) {
    connection.send(true, timeNanos, GET);
    connection.send(false, timeNanos + 10_000, OK);
    connection.acknowledge(true, timeNanos + 20_000);
  }

  /**
   * A connection that shows outside of a tunnel, and inside when one side has sent much: its
   * packets there are its own, though half the circle lies between them and its SYN.
   */
  @ParameterizedTest
  @CsvSource({
    "true, 0",
    "true, 1",
    "true, 35",
    "true, 36",
    "true, 60",
    "true, 80",
    "false, 36",
    "false, 60"
  })
  void whatComesAnotherWayLongAfterTheSynIsOfItsConnection(boolean fromClient, int steps) {
    TcpCapture.Connection outside = connection(bytes);
    outside.open(START);
    page(outside, START + MILLIS);
    long time = START + 2 * MILLIS;
    for (int step = 0; step < steps; step++) {
      outside.lose(fromClient, STEP_BYTES);
      outside.acknowledge(!fromClient, time);
      time += MILLIS;
    }
    TcpCapture.Connection inside = connection(laterBytes);
    for (boolean side : new boolean[] {true, false}) {
      inside.lose(side, outside.sequence(side) - inside.sequence(side));
    }
    page(inside, time);
    inside.close(time + MILLIS);

    Captures.Reading read =
        Captures.read(
            TunnelledCapture.joined(
                bytes.toByteArray(),
                TunnelledCapture.of(laterBytes.toByteArray(), Kind.VXLAN, 5, Ends.OVERLAY)));
    assertThat(read.connections()).hasSize(1);
    assertThat(read.requests()).extracting(Request::connection).containsOnly(0);
  }

  /** A packet of before the SYN is another connection's, near as its number may be. */
  @Test
  void whatIsBeforeTheSynIsAnothers() {
    TcpCapture.Connection outside = connection(bytes);
    outside.open(START);
    page(outside, START + MILLIS);
    TcpCapture.Connection inside = connection(laterBytes);
    inside.lose(true, -500);
    inside.lose(false, -500);
    page(inside, START + 2 * MILLIS);

    assertThat(
            Captures.read(
                    TunnelledCapture.joined(
                        bytes.toByteArray(),
                        TunnelledCapture.of(laterBytes.toByteArray(), Kind.VXLAN, 5, Ends.OVERLAY)))
                .connections())
        .hasSize(2);
  }

  /** A SYN acknowledges nothing: the zero in its place is no number to be compared with. */
  @ParameterizedTest
  @ValueSource(ints = {0, 0x1000_0000, 0x7fff_0000, 0x8000_0000, 0x9000_0000, 0xf000_0000})
  void copiesInATunnelAreNoRetransmissionsWhereverTheNumbersOfTheServerBegin(int first) {
    byte[] plain = pages(bytes, first, 0);
    // Later than the same packet once more, which is told by less.
    byte[] copies = pages(laterBytes, first, 3 * MILLIS);

    Captures.Reading read =
        Captures.read(
            TunnelledCapture.joined(
                plain, TunnelledCapture.of(copies, Kind.VXLAN, 5, Ends.OVERLAY)));
    assertThat(read.requests()).hasSize(10).extracting(Request::outcome).containsOnly(Outcome.OK);
    assertThat(read.result().statistics().of(WireCount.RETRANSMITTED_SEGMENTS)).isZero();
    assertThat(read.result().statistics().of(WireCount.DUPLICATE_PACKETS))
        .isEqualTo(TunnelledCapture.size(plain));
  }

  private static byte[] pages(ByteArrayOutputStream to, int first, long laterNanos) {
    TcpCapture.Connection connection = connection(to);
    connection.lose(false, first - connection.sequence(false));
    connection.open(START + laterNanos);
    for (int each = 1; each <= 10; each++) {
      page(connection, START + each * MILLIS + laterNanos);
    }
    connection.close(START + 20 * MILLIS + laterNanos);
    return to.toByteArray();
  }
}
