package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Request;
import org.terrace.observation.Server;
import org.terrace.protocols.captures.Captures;
import org.terrace.testing.TcpCapture;

/** Names and tiers of servers that are known by their packets alone. */
class ServersTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final String GET = "GET / HTTP/1.1\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TcpCapture capture = TcpCapture.inMemory(bytes);
  private long time = START;
  private int port = 40_000;

  private TcpCapture.Connection open(String client, String server, int serverPort) {
    time += 1_000_000;
    TcpCapture.Connection connection = capture.connection(client, port++, server, serverPort);
    connection.open(time);
    return connection;
  }

  private void http(String client, String server) {
    TcpCapture.Connection connection = open(client, server, 8080);
    connection.send(true, time + 1_000, GET);
    connection.send(false, time + 2_000, OK);
  }

  private void postgresql(String client, String server) {
    TcpCapture.Connection connection = open(client, server, 5432);
    byte[] user = "user\0a\0\0".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer startup = ByteBuffer.allocate(8 + user.length);
    startup.putInt(8 + user.length).putInt(196_608).put(user);
    connection.send(true, time + 1_000, startup.array());
    connection.send(false, time + 2_000, "Z\0\0\0\5I");
  }

  private void opaque(String client, String server) {
    TcpCapture.Connection connection = open(client, server, 11211);
    connection.send(true, time + 1_000, "ask key\r\n");
    connection.send(false, time + 2_000, "END\r\n");
  }

  private void redis(String client, String server) {
    TcpCapture.Connection connection = open(client, server, 7000);
    connection.send(true, time + 1_000, "*2\r\n$3\r\nGET\r\n$1\r\na\r\n");
    connection.send(false, time + 2_000, "$1\r\n1\r\n");
  }

  @Test
  void cacheIsATierOfItsOwnBehindApplications() {
    http("127.0.9.1", "127.0.1.1");
    http("127.0.1.1", "127.0.2.1");
    redis("127.0.1.1", "127.0.5.1");
    redis("127.0.2.1", "127.0.5.1");
    postgresql("127.0.2.2", "127.0.3.1");
    http("127.0.1.1", "127.0.2.2");

    assertThat(Captures.read(bytes.toByteArray()).result().servers())
        .extracting(Server::name, Server::tier)
        .containsExactly(
            tuple("127.0.1.1:8080", "web"),
            tuple("127.0.2.1:8080", "app"),
            tuple("127.0.2.2:8080", "app"),
            tuple("127.0.5.1:7000", "cache"),
            tuple("127.0.3.1:5432", "database"));
  }

  @Test
  void tiersFollowFromWhatServersSpeakAndWhomTheyCall() {
    postgresql("127.0.2.1", "127.0.3.1");
    postgresql("127.0.2.2", "127.0.3.1");
    postgresql("127.0.3.1", "127.0.4.1");
    opaque("127.0.2.1", "127.0.5.1");
    for (int i = 0; i < 3; i++) {
      http("127.0.9.1", "127.0.1.1");
      http("127.0.1.1", "127.0.2.1");
      http("127.0.1.1", "127.0.2.2");
      http("127.0.1.1", "127.0.2.10");
    }

    assertThat(Captures.read(bytes.toByteArray()).result().servers())
        .extracting(Server::name, Server::tier)
        .containsExactly(
            tuple("127.0.1.1:8080", "web"),
            tuple("127.0.2.1:8080", "app"),
            tuple("127.0.2.2:8080", "app"),
            tuple("127.0.2.10:8080", "app"),
            tuple("127.0.5.1:11211", "tier3"),
            tuple("127.0.3.1:5432", "middleware"),
            tuple("127.0.4.1:5432", "database"));
  }

  @Test
  void namesAndTiersOfTheUserComeFirstAndNameTheCallersToo() {
    postgresql("127.0.2.1", "127.0.4.1");
    http("127.0.9.1", "127.0.2.1");
    ReadOptions options =
        ReadOptions.defaults()
            .withServers(
                List.of(
                    new Server("shop", "front", List.of("127.0.2.1")),
                    new Server("db", "database", List.of("127.0.4.1:5432"))));

    Captures.Reading reading = Captures.read(bytes.toByteArray(), options);

    assertThat(reading.requests())
        .extracting(Request::server, Request::client)
        .containsExactly(tuple("db", "shop"), tuple("shop", "127.0.9.1"));
    assertThat(reading.result().servers())
        .containsExactly(
            new Server("shop", "front", List.of("127.0.2.1:8080")),
            new Server("db", "database", List.of("127.0.4.1:5432")));
  }

  @Test
  void serversOfOneHostAreToldApartByTheirPorts() {
    http("127.0.0.1", "127.0.0.1");
    postgresql("127.0.0.1", "127.0.0.1");

    assertThat(Captures.read(bytes.toByteArray()).result().servers())
        .containsExactly(
            new Server("127.0.0.1:8080", "app", List.of("127.0.0.1:8080")),
            new Server("127.0.0.1:5432", "database", List.of("127.0.0.1:5432")));
  }
}
