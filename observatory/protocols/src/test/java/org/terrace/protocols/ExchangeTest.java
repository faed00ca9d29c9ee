package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Exchange;
import org.terrace.observation.Request;
import org.terrace.protocols.captures.Captures;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.CaptureSource;

/** The phases of requests and the numbers of their packets. */
class ExchangeTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long UNKNOWN = Exchange.UNKNOWN;
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TcpCapture capture = TcpCapture.inMemory(bytes);
  private final TcpCapture.Connection connection =
      capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);

  private List<Exchange> exchanges() {
    return Captures.read(bytes.toByteArray()).requests().stream().map(Request::exchange).toList();
  }

  /** Frames 1 to 3 open the connection. */
  private static Exchange exchange(long requestEnd, long responseStart, long first, long last) {
    return new Exchange(
        requestEnd == UNKNOWN ? UNKNOWN : START + requestEnd,
        responseStart == UNKNOWN ? UNKNOWN : START + responseStart,
        first,
        last);
  }

  @Test
  void requestInPartsEndsWithItsLastByteAndAnInterimResponseIsNoStart() {
    connection.open(START);
    connection.send(true, START + 10, "POST /a HTTP/1.1\r\nContent-Le");
    connection.send(true, START + 20, "ngth: 4\r\nExpect: 100-continue\r\n\r\n");
    connection.send(false, START + 30, "HTTP/1.1 100 Continue\r\n\r\n");
    connection.send(true, START + 40, "body");
    connection.send(false, START + 50, OK.substring(0, 5));
    connection.send(false, START + 60, OK.substring(5));

    assertThat(exchanges()).containsExactly(exchange(40, 50, 4, 9));
  }

  @Test
  void pipelinedRequestsOfOnePacketHaveThatPacketAndEachItsOwnResponse() {
    connection.open(START);
    connection.send(
        true, START + 10, "GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\n");
    connection.send(false, START + 20, OK + OK.substring(0, 9));
    connection.send(false, START + 30, OK.substring(9));
    connection.acknowledge(true, START + 35);
    connection.send(false, START + 40, OK);

    assertThat(exchanges())
        .containsExactly(exchange(10, 20, 4, 5), exchange(10, 20, 4, 6), exchange(10, 40, 4, 8));
  }

  @Test
  void requestWithoutResponseHasNoneAndARequestCutOffHasNoEnd() {
    connection.open(START);
    connection.send(true, START + 10, "GET /a HTTP/1.1\r\n\r\n");
    connection.send(true, START + 20, "POST /b HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc");
    connection.send(true, START + 30, "def");
    connection.reset(false, START + 40);

    assertThat(exchanges())
        .containsExactly(exchange(10, UNKNOWN, 4, 4), exchange(UNKNOWN, UNKNOWN, 5, 6));
  }

  @Test
  void responsePutInOrderEndsWithThePacketThatMadeItWhole() {
    connection.open(START);
    connection.send(true, START + 10, "GET /a HTTP/1.1\r\n\r\n");
    int sequence = connection.sequence(false);
    byte[] ok = OK.getBytes(StandardCharsets.US_ASCII);
    int acknowledged = connection.sequence(true);
    connection.segment(
        false, START + 20, TcpCapture.ACK, sequence + 20, acknowledged, ok, 20, ok.length);
    connection.segment(false, START + 30, TcpCapture.ACK, sequence, acknowledged, ok, 0, 20);

    assertThat(exchanges()).containsExactly(exchange(10, 30, 4, 6));
  }

  @Test
  void postgresqlTurnEndsWithItsSyncAndIsAnsweredByItsFirstMessage() {
    connection.open(START);
    byte[] user = "user\0a\0\0".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer startup = ByteBuffer.allocate(8 + user.length);
    startup.putInt(8 + user.length).putInt(196_608).put(user);
    connection.send(true, START + 10, startup.array());
    connection.send(false, START + 20, "R\0\0\0\u0008\0\0\0\0Z\0\0\0\5I");
    connection.send(true, START + 30, "B\0\0\0\u000c\0\0\0\0\0\0\0\0E\0\0\0\u0009\0");
    connection.send(true, START + 40, "\0\0\0\0S\0\0\0\4");
    connection.send(false, START + 50, "2\0\0\0\4");
    connection.send(false, START + 60, "C\0\0\0\u0006a\0Z\0\0\0\5I");

    assertThat(exchanges()).containsExactly(exchange(10, 20, 4, 5), exchange(40, 50, 6, 9));
  }

  @Test
  void turnsOfAnUnknownProtocolHaveTheirPhasesToo() {
    connection.open(START);
    connection.send(true, START + 10, "get ");
    connection.send(true, START + 20, "key\r\n");
    connection.send(false, START + 30, "EN");
    connection.send(false, START + 40, "D\r\n");

    assertThat(exchanges()).containsExactly(exchange(20, 30, 4, 7));
  }

  @Test
  void packetsOfTheNextFileAreCountedOn() {
    connection.open(START);
    byte[] first = bytes.toByteArray();
    connection.send(true, START + 10, "GET /a HTTP/1.1\r\n\r\n");
    connection.send(false, START + 20, OK);
    byte[] second = TcpCapture.without(bytes.toByteArray(), 24, first.length);
    List<Request> requests = new ArrayList<>();

    CaptureReader.read(
        List.of(source(first), source(second)), ReadOptions.defaults(), requests::add);

    assertThat(requests).extracting(Request::exchange).containsExactly(exchange(10, 20, 4, 5));
  }

  private static CaptureSource source(byte[] file) {
    return CaptureSource.stream("test", new ByteArrayInputStream(file));
  }
}
