package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.Server;
import org.terrace.protocols.captures.Captures;
import org.terrace.protocols.correlated.MongoMessages;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.statistics.WireCount;

/** The same exchanges as tshark finds in real captures. */
@Tag("real-processes")
@Tag("untimed")
class PeerCountsTest {
  /** The connection of the capture of Redis on which commands are typed. */
  private static final long TYPED_CONNECTION = 2;

  @TempDir private Path directory;

  private List<String> tshark(String capture, String... fields)
      throws IOException, InterruptedException {
    return tsharkLines(capture, fields).stream()
        .flatMap(line -> Arrays.stream(line.split("[,\t]", -1)))
        .toList();
  }

  private List<String> tsharkLines(String capture, String... fields)
      throws IOException, InterruptedException {
    return tsharkLines(capture, Captures.resource(capture), fields);
  }

  private List<String> tsharkLines(String name, byte[] capture, String... fields)
      throws IOException, InterruptedException {
    return Tshark.lines(directory, name, capture, fields);
  }

  @Test
  void httpResponsesAreThoseOfTshark() throws IOException, InterruptedException {
    List<String> codes = tshark("http.pcap", "http.response.code");
    List<Request> requests = Captures.read(Captures.resource("http.pcap")).requests();

    assertThat(codes.stream().filter(code -> !code.isEmpty() && !code.equals("100")))
        .hasSameSizeAs(requests);
    assertThat(requests.stream().filter(request -> request.requestClass().startsWith("GET /m")))
        .hasSize((int) codes.stream().filter("404"::equals).count());
  }

  @Test
  void httpFramesAreThoseOfTshark() throws IOException, InterruptedException {
    Map<Long, Long> times = new HashMap<>();
    Map<Long, Long> requestOfResponse = new HashMap<>();
    for (String line :
        tsharkLines(
            "http.pcap",
            "frame.number",
            "frame.time_epoch",
            "http.response.code",
            "http.request_in",
            "tcp.len")) {
      String[] fields = line.split("\t", -1);
      long frame = Long.parseLong(fields[0]);
      times.put(frame, new BigDecimal(fields[1]).movePointRight(9).longValueExact());
      // Of a packet with several responses tshark tells only one request; and it ends a response
      // that ends with its connection at the FIN, not at the last byte.
      boolean single = fields[2].matches("[2-5]\\d\\d") && !fields[3].isEmpty();
      if (single && !fields[4].equals("0")) {
        requestOfResponse.put(frame, Long.valueOf(fields[3]));
      }
    }

    List<Request> requests = Captures.read(Captures.resource("http.pcap")).requests();

    assertThat(requestOfResponse).hasSizeGreaterThan(20);
    requestOfResponse.forEach((response, request) ->
        assertThat(requests)
            .map(Request::exchange)
            .filteredOn(exchange -> exchange.lastFrame() == response)
            .singleElement()
            .satisfies(exchange -> {
              assertThat(exchange.requestEndNanos()).isEqualTo(times.get(request));
              assertThat(exchange.firstFrame()).isLessThanOrEqualTo(request);
            }));
    assertThat(
            requests.stream()
                .filter(request ->
                    Objects.equals(
                        requestOfResponse.get(request.exchange().lastFrame()),
                        request.exchange().firstFrame())))
        .as("requests of one packet")
        .hasSizeGreaterThan(15);
  }

  @Test
  void lastFramesOfPostgresqlAreThoseOfTsharksReadyForQuery()
      throws IOException, InterruptedException {
    List<Long> ready = new ArrayList<>();
    for (String line : tsharkLines("pgsql.pcap", "frame.number", "pgsql.type")) {
      if (line.contains("Ready for query")) {
        ready.add(Long.parseLong(line.substring(0, line.indexOf('\t'))));
      }
    }

    List<Long> ours =
        Captures.read(Captures.resource("pgsql.pcap")).requests().stream()
            .filter(request -> !request.requestClass().equals("CANCEL REQUEST"))
            .map(request -> request.exchange().lastFrame())
            .distinct()
            .sorted()
            .toList();

    assertThat(ours).isEqualTo(ready);
  }

  @Test
  void connectionsAndBackendProcessesAreThoseOfTshark() throws IOException, InterruptedException {
    for (String name : List.of("http.pcap", "pgsql.pcap")) {
      List<ObservedConnection> connections = new ArrayList<>();
      CaptureReader.read(
          List.of(CaptureSource.stream("test", new ByteArrayInputStream(Captures.resource(name)))),
          ReadOptions.defaults(),
          request -> {},
          connections::add);

      assertThat(connections)
          .hasSize((int) tsharkLines(name, "tcp.stream").stream().distinct().count());
      assertThat(connections)
          .map(ObservedConnection::backend)
          .filteredOn(backend -> backend != ObservedConnection.UNKNOWN)
          .map(String::valueOf)
          .containsExactlyInAnyOrderElementsOf(backendsOfTshark(name));
    }
  }

  @Test
  void commandsAndThreadsOfMariaDbAreThoseOfTshark() throws IOException, InterruptedException {
    List<Long> frames = new ArrayList<>();
    List<String> threads = new ArrayList<>();
    for (String line :
        tsharkLines("mariadb.pcap", "frame.number", "mysql.command", "mysql.thread_id")) {
      String[] fields = line.split("\t", -1);
      // QUIT has no answer, and 49 is the text of a file that tshark takes for a command.
      if (!List.of("", "1", "49").contains(fields[1])) {
        frames.add(Long.valueOf(fields[0]));
      }
      if (!fields[2].isEmpty()) {
        threads.add(fields[2]);
      }
    }
    List<ObservedConnection> connections = new ArrayList<>();
    List<Request> requests = new ArrayList<>();
    CaptureReader.read(
        List.of(
            CaptureSource.stream(
                "test", new ByteArrayInputStream(Captures.resource("mariadb.pcap")))),
        ReadOptions.defaults(),
        requests::add,
        connections::add);

    assertThat(frames).hasSizeGreaterThan(40);
    assertThat(requests)
        .filteredOn(request ->
            !request.requestClass().equals("CONNECT") && !request.requestClass().endsWith(" turn"))
        .map(request -> request.exchange().firstFrame())
        .containsExactlyInAnyOrderElementsOf(frames);
    assertThat(connections)
        .map(connection -> String.valueOf(connection.backend()))
        .isEqualTo(threads);
    assertThat(connections)
        .map(ObservedConnection::protocol)
        .containsExactly("MySQL", "MySQL", "MySQL", "MySQL", "MySQL", "MySQL, then TLS", "MySQL");
  }

  /**
   * A request is a command that tshark finds as an array in a packet to the server, unless it asked
   * for no reply. Lines that people type are none to tshark.
   */
  @Test
  void commandsOfRedisAreThoseOfTshark() throws IOException, InterruptedException {
    List<Long> frames = new ArrayList<>();
    for (String line :
        tsharkLines(
            "redis.pcap", "frame.number", "tcp.dstport", "resp.array.length", "_ws.col.Info")) {
      String[] fields = line.split("\t", -1);
      if (!fields[1].equals("6379")) {
        continue;
      }
      String unanswered = "CLIENT REPLY SKIP|SET quiet|CLIENT REPLY OFF|REPLCONF ACK";
      if (!fields[2].isEmpty() && !Pattern.compile(unanswered).matcher(fields[3]).find()) {
        long commands = fields[2].split(",", -1).length;
        for (int i = 0; i < commands; i++) {
          frames.add(Long.valueOf(fields[0]));
        }
      }
    }
    List<Request> requests = Captures.read(Captures.resource("redis.pcap")).requests();
    List<Request> typed =
        requests.stream().filter(request -> request.connection() == TYPED_CONNECTION).toList();

    assertThat(typed)
        .extracting(Request::requestClass)
        .containsExactly("PING", "SET", "GET", "INCR");
    assertThat(frames).hasSizeGreaterThan(80);
    assertThat(requests)
        .filteredOn(request -> !typed.contains(request))
        .map(request -> request.exchange().firstFrame())
        .containsExactlyInAnyOrderElementsOf(frames);
  }

  /**
   * A request is a block of headers with a method, or a request of HTTP/1.1 that upgrades, as
   * tshark finds them; a message of gRPC is one of which it tells the length.
   */
  @Test
  void requestsOfHttp2AndMessagesOfGrpcAreThoseOfTshark() throws IOException, InterruptedException {
    List<Long> frames = new ArrayList<>();
    long failed = 0;
    long messages = 0;
    for (String line :
        tsharkLines(
            "http2.pcap",
            "frame.number",
            "http2.headers.method",
            "http.request.method",
            "grpc.message_length",
            "http2.headers.status",
            "http2.header.name",
            "http2.header.value")) {
      String[] fields = line.split("\t", -1);
      for (String method : (fields[1] + "," + fields[2]).split(",", -1)) {
        if (!method.isEmpty()) {
          frames.add(Long.valueOf(fields[0]));
        }
      }
      messages += fields[3].isEmpty() ? 0 : fields[3].split(",", -1).length;
      failed += Arrays.stream(fields[4].split(",", -1)).filter("404"::equals).count();
      List<String> names = List.of(fields[5].split(",", -1));
      List<String> values = List.of(fields[6].split(",", -1));
      int status = names.indexOf("grpc-status");
      failed +=
          status >= 0 && names.size() == values.size() && !values.get(status).equals("0") ? 1 : 0;
    }
    Captures.Reading reading = Captures.read(Captures.resource("http2.pcap"));

    assertThat(frames).hasSizeGreaterThan(25);
    assertThat(reading.requests())
        .map(request -> request.exchange().firstFrame())
        .containsExactlyInAnyOrderElementsOf(frames);
    assertThat(reading.result().statistics().of(WireCount.GRPC_MESSAGES)).isEqualTo(messages);
    assertThat(reading.requests())
        .filteredOn(request -> request.outcome() == Outcome.ERROR)
        .hasSize((int) failed);
    assertThat(reading.connections())
        .map(ObservedConnection::protocol)
        .containsExactly("HTTP/2", "HTTP/1.1, then HTTP/2", "HTTP/1.1, then HTTP/2", "HTTP/2");
  }

  /** A request is one that tshark finds, unless its operation is quiet (GETKQ, SETQ). */
  @Test
  void requestsOfMemcachedAreThoseOfTshark() throws IOException, InterruptedException {
    List<Long> frames = new ArrayList<>();
    for (String line :
        tsharkLines("memcached.pcap", "frame.number", "memcache.magic", "memcache.opcode")) {
      String[] fields = line.split("\t", -1);
      if (fields[1].startsWith("128")) {
        for (String operation : fields[2].split(",", -1)) {
          if (!List.of("13", "17").contains(operation)) {
            frames.add(Long.valueOf(fields[0]));
          }
        }
      }
    }

    assertThat(frames).hasSizeGreaterThan(30);
    assertThat(Captures.read(Captures.resource("memcached.pcap")).requests())
        .map(request -> request.exchange().firstFrame())
        .containsExactlyInAnyOrderElementsOf(frames);
  }

  /** Messages as the specification has them, which tshark takes for the same commands. */
  @Test
  void commandsOfMongoDbAreThoseOfTshark() throws IOException, InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TcpCapture.Connection connection =
        TcpCapture.inMemory(bytes).connection("127.0.9.1", 40_000, "127.0.4.1", 27_017);
    connection.open(1_790_000_000_000_000_000L);
    for (int i = 1; i <= 5; i++) {
      long time = 1_790_000_000_000_000_000L + i * 1_000_000L;
      connection.send(true, time, MongoMessages.command(i, i % 2 == 0 ? "find" : "insert", 50));
      connection.send(false, time + 1_000, MongoMessages.reply(i, 1.0, 50));
    }
    List<Long> frames = new ArrayList<>();
    for (String line :
        tsharkLines(
            "mongo.pcap",
            bytes.toByteArray(),
            "frame.number",
            "mongo.opcode",
            "mongo.response_to",
            "mongo.element.name")) {
      String[] fields = line.split("\t", -1);
      if (fields[1].equals("2013") && Integer.decode(fields[2]) == 0) {
        assertThat(fields[3]).startsWith(frames.size() % 2 == 0 ? "insert" : "find");
        frames.add(Long.valueOf(fields[0]));
      }
    }

    Captures.Reading reading = Captures.read(bytes.toByteArray());

    assertThat(frames).hasSize(5);
    assertThat(reading.requests())
        .map(request -> request.exchange().firstFrame())
        .isEqualTo(frames);
    assertThat(reading.result().servers()).extracting(Server::tier).containsExactly("database");
  }

  private List<String> backendsOfTshark(String capture) throws IOException, InterruptedException {
    return tsharkLines(capture, "pgsql.type", "pgsql.pid").stream()
        .filter(line -> line.contains("Backend key data"))
        .map(line -> line.substring(line.indexOf('\t') + 1))
        .toList();
  }

  @Test
  void postgresqlTurnsAreTheReadyForQueryOfTshark() throws IOException, InterruptedException {
    List<String> types = tshark("pgsql.pcap", "pgsql.type");
    List<Request> requests = Captures.read(Captures.resource("pgsql.pcap")).requests();

    assertThat(
            requests.stream().filter(request -> !request.requestClass().equals("CANCEL REQUEST")))
        .hasSize((int) types.stream().filter("Ready for query"::equals).count());
  }
}
