package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.ObservedConnection.Beginning;
import org.terrace.observation.ObservedConnection.Ending;
import org.terrace.observation.Request;
import org.terrace.observation.Server;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.CaptureSource;

/** The table of connections. */
class ConnectionsTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final String GET = "GET / HTTP/1.1\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TcpCapture capture = TcpCapture.inMemory(bytes);
  private final List<Request> requests = new ArrayList<>();

  private TcpCapture.Connection connection(int clientPort, int serverPort) {
    return capture.connection("127.0.9.1", clientPort, "127.0.2.1", serverPort);
  }

  private List<ObservedConnection> read() {
    return read(ReadOptions.defaults());
  }

  private List<ObservedConnection> read(ReadOptions options) {
    List<ObservedConnection> connections = new ArrayList<>();
    CaptureReader.read(
        List.of(CaptureSource.stream("test", new ByteArrayInputStream(bytes.toByteArray()))),
        options,
        requests::add,
        connections::add);
    return connections;
  }

  @Test
  void connectionHasItsEndpointsPacketsBytesAndRequests() {
    TcpCapture.Connection connection = connection(40_000, 8080);
    connection.open(START);
    connection.send(true, START + 10, GET + GET);
    connection.send(false, START + 20, OK + OK);
    connection.close(START + 30);

    List<ObservedConnection> connections = read();

    assertThat(connections)
        .containsExactly(
            new ObservedConnection(
                0,
                "127.0.2.1:8080",
                "127.0.9.1:40000",
                "127.0.2.1:8080",
                "HTTP/1.1",
                "first bytes of the client",
                ObservedConnection.UNKNOWN,
                1,
                7,
                START,
                connections.getFirst().endNanos(),
                Beginning.OPENED,
                Ending.CLOSED,
                2L * GET.length(),
                2L * OK.length(),
                2));
    assertThat(requests).extracting(Request::connection).containsExactly(0, 0);
  }

  @Test
  void refusedConnectionHasARowAndItsServerTheNameTheUserGives() {
    TcpCapture.Connection connection = connection(40_000, 5432);
    connection.segment(
        true, START, TcpCapture.SYN, connection.sequence(true), 0, new byte[0], 0, 0);
    connection.reset(false, START + 10);
    ReadOptions options =
        ReadOptions.defaults()
            .withServers(List.of(new Server("db1", "database", List.of("127.0.2.1:5432"))));

    assertThat(read(options))
        .singleElement()
        .satisfies(refused -> {
          assertThat(refused.server()).isEqualTo("db1");
          assertThat(refused.clientAddress()).isEqualTo("127.0.9.1:40000");
          assertThat(refused.protocol()).isEqualTo("unknown");
          assertThat(refused.evidence()).isEqualTo("nothing that tells");
          assertThat(refused.ending()).isEqualTo(Ending.RESET);
          assertThat(refused.beginning()).isEqualTo(Beginning.OPENED);
          assertThat(refused.requests()).isZero();
        });
  }

  @Test
  void postgresqlTellsTheProcessBehindAConnectionHoweverItsMessageIsCut() {
    byte[] user = "user\0a\0\0".getBytes(StandardCharsets.US_ASCII);
    byte[] startup =
        ByteBuffer.allocate(8 + user.length)
            .putInt(8 + user.length)
            .putInt(196_608)
            .put(user)
            .array();
    byte[] welcome =
        ByteBuffer.allocate(9 + 13 + 6)
            .put(new byte[] {'R', 0, 0, 0, 8, 0, 0, 0, 0})
            .put(new byte[] {'K', 0, 0, 0, 12})
            .putInt(0x8765_4321)
            .putInt(7)
            .put(new byte[] {'Z', 0, 0, 0, 5, 'I'})
            .array();
    for (int cut = 1; cut < welcome.length; cut++) {
      TcpCapture.Connection connection = connection(40_000 + cut, 5432);
      connection.open(START + cut * 1_000L);
      connection.send(true, START + cut * 1_000L + 10, startup);
      connection.send(false, START + cut * 1_000L + 20, Arrays.copyOf(welcome, cut));
      connection.send(
          false, START + cut * 1_000L + 30, Arrays.copyOfRange(welcome, cut, welcome.length));
    }

    assertThat(read())
        .hasSize(welcome.length - 1)
        .allSatisfy(connection -> {
          assertThat(connection.protocol()).isEqualTo("PostgreSQL");
          assertThat(connection.backend()).isEqualTo(0x8765_4321L);
          assertThat(connection.ending()).isEqualTo(Ending.OPEN);
        });
  }

  @Test
  void tunnelIsRecognisedAgainAndATunnelInATunnelIsNot() {
    TcpCapture.Connection tls = connection(40_000, 3128);
    tls.open(START);
    tls.send(true, START + 10, "CONNECT db:443 HTTP/1.1\r\n\r\n");
    tls.send(false, START + 20, "HTTP/1.1 200 Connected\r\n\r\n");
    tls.send(true, START + 30, new byte[] {0x16});
    tls.send(true, START + 40, new byte[] {3, 1, 0});
    tls.send(false, START + 50, new byte[] {0x16, 3, 1});
    TcpCapture.Connection plain = connection(40_001, 3128);
    plain.open(START + 100);
    for (int i = 0; i < 3; i++) {
      plain.send(true, START + 110 + i * 20L, "CONNECT web:80 HTTP/1.1\r\n\r\n");
      plain.send(false, START + 120 + i * 20L, "HTTP/1.1 200 Connected\r\n\r\n");
    }

    assertThat(read())
        .extracting(ObservedConnection::protocol)
        .containsExactly("HTTP/1.1, then TLS", "HTTP/1.1, then HTTP/1.1");
    assertThat(requests)
        .extracting(Request::requestClass)
        .containsExactlyInAnyOrder(
            "CONNECT {s}", "CONNECT {s}", "CONNECT {s}", "TLS turn", "upgraded turn");
  }

  @Test
  void connectionInMidStreamSaysWhatToldItsProtocol() {
    for (int i = 0; i < 2; i++) {
      TcpCapture.Connection connection = connection(40_000 + i, 8080);
      connection.send(true, START + i * 100L + 10, GET);
      connection.send(false, START + i * 100L + 20, OK);
    }
    TcpCapture.Connection silent = connection(40_003, 11_211);
    silent.send(true, START + 300, "ask a\r\n");

    assertThat(read())
        .extracting(connection ->
            connection.protocol() + ": " + connection.evidence() + " " + connection.beginning())
        .containsExactly(
            "HTTP/1.1: a segment of the client MID_STREAM",
            "HTTP/1.1: other connections of the server MID_STREAM",
            "unknown: nothing that tells MID_STREAM");
  }

  @Test
  void serverThatSpeaksFirstAndIsNotKnownLeavesTurns() {
    TcpCapture.Connection connection = connection(40_000, 25);
    connection.open(START);
    connection.send(false, START + 10, "220 mail\r\n");
    connection.send(true, START + 20, "QUIT\r\n");
    connection.send(false, START + 30, "221 bye\r\n");
    connection.close(START + 40);

    assertThat(read())
        .extracting(ObservedConnection::protocol, ObservedConnection::evidence)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("unknown", "no first bytes of a known protocol"));
    assertThat(requests).extracting(Request::bytesIn).containsExactly(6L);
  }
}
