package org.terrace.protocols.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.ReadOptions;
import org.terrace.protocols.captures.Captures;
import org.terrace.protocols.captures.Captures.Reading;
import org.terrace.protocols.decoder.ProtocolRegistry;
import org.terrace.protocols.decoder.RecordedConversation;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.protocols.http2.Http2Protocol;
import org.terrace.protocols.redis.RedisProtocol;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;

/**
 * The words of real peers with their keys: Apache 2.4 and curl, PostgreSQL 15, MariaDB 11.4 and
 * Redis 7 with clients of Python's TLS, and OpenSSL's own programs in every cipher suite; whole,
 * cut at every byte, damaged, with packets lost and with keys that are not theirs.
 */
class RecordedTlsTest {
  private static final int FILE_HEADER = 24;
  private static final int RECORD_HEADER = 16;
  private static final int ETHERNET_AND_IP = 34;
  private static final int CUTS_PER_CONVERSATION_MAX = 60;
  private static final int DAMAGED_CASES = 120;
  private static final String HANDSHAKE = "TLS handshake";
  private static final String TURN = "TLS turn";

  /** The connection of tls-changes with early data. */
  private static final int WITH_EARLY_DATA = 7;

  @TempDir private Path directory;

  private static byte[] keyLog(String name) {
    return Captures.resource(name + ".keys");
  }

  private static byte[] pcap(String name) {
    return Captures.resource(name + ".pcap");
  }

  private Reading read(byte[] capture, byte[] keyLog) throws IOException {
    Path keys = directory.resolve("keys.log");
    Files.write(keys, keyLog);
    return Captures.read(capture, ReadOptions.defaults().withKeyLogs(List.of(keys)));
  }

  private static ProtocolRegistry registry(byte[] keyLog) {
    return ProtocolRegistry.with(
        protocol(keyLog), List.of(new Http2Protocol(), new RedisProtocol()));
  }

  private static TlsProtocol protocol(byte[] keyLog) {
    TlsKeys keys = new TlsKeys(new Counters());
    keys.keyLog(keyLog, 0, keyLog.length);
    keys.keyLogEnds();
    return new TlsProtocol(keys);
  }

  private static List<String> requests(List<Row> rows) {
    return rows.stream().map(RecordedConversation::withoutTimes).toList();
  }

  private static List<String> requests(Reading reading, int connection) {
    return reading.requests().stream()
        .filter(request -> request.connection() == connection)
        .map(request ->
            "%s %d %d %s"
                .formatted(
                    request.requestClass(),
                    request.bytesIn(),
                    request.bytesOut(),
                    request.outcome()))
        .toList();
  }

  private static List<String> told(Reading reading) {
    return reading.connections().stream()
        .map(each -> each.protocol() + ": " + each.evidence())
        .toList();
  }

  @Test
  void apacheAndCurlAreReadWithTheKeysThatTheCaptureCarries() {
    Reading reading = Captures.read(Captures.resource("tls-http.pcapng"));

    assertThat(requests(reading, 0))
        .containsExactly(
            HANDSHAKE + " 517 771 OK",
            "GET /small.txt 88 281 OK",
            "GET /page1.txt 88 7003 OK",
            "GET /missing 86 412 ERROR",
            "GET /small.txt 88 247 OK");
    assertThat(requests(reading, 1))
        .containsExactly(
            HANDSHAKE + " 517 764 OK",
            "GET /small.txt 49 139 OK",
            "GET /page2.txt 23 18996 OK",
            "GET /missing 22 286 ERROR");
    assertThat(requests(reading, 3)).last().isEqualTo("POST /small.txt 6758 139 OK");
    assertThat(requests(reading, 4)).last().isEqualTo("POST /small.txt 18829 281 OK");
    assertThat(reading.requests()).hasSize(18);
    String suite13 = "first bytes of the client (TLS 1.3, TLS_AES_256_GCM_SHA384), then ";
    String suite12 =
        "first bytes of the client (TLS 1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384), then ";
    assertThat(told(reading))
        .containsExactly(
            "TLS, then HTTP/1.1: " + suite13 + "both sides agree on http/1.1",
            "TLS, then HTTP/2: " + suite13 + "both sides agree on h2",
            "TLS, then HTTP/1.1: " + suite12 + "both sides agree on http/1.1",
            "TLS, then HTTP/2: " + suite12 + "both sides agree on h2",
            "TLS, then HTTP/1.1: " + suite13 + "both sides agree on http/1.1");
    assertThat(reading.result().losses()).isEmpty();
    assertThat(reading.result().statistics().of(WireCount.DECRYPTED_CONNECTIONS)).isEqualTo(5);
    assertThat(reading.result().servers()).singleElement().extracting("tier").isEqualTo("app");
  }

  @Test
  void timesAndFramesAreThoseOfThePacketsThatCarryTheRecords() {
    List<Request> requests = Captures.read(Captures.resource("tls-http.pcapng")).requests();

    Request posted = requests.getLast();
    assertThat(posted.requestClass()).isEqualTo("POST /small.txt");
    assertThat(posted.exchange().firstFrame()).isEqualTo(95);
    assertThat(posted.exchange().lastFrame()).isEqualTo(100);
    assertThat(posted.arrivalNanos()).isLessThan(posted.exchange().requestEndNanos());
    assertThat(posted.exchange().requestEndNanos()).isLessThan(posted.departureNanos());
  }

  @Test
  void bytesOfARecordHaveTheTimesOfTheirOwnPackets() {
    RecordedConversation conversation = RecordedConversation.of("tls-suites.pcap").get(3);

    Row request =
        conversation
            .script(conversation.length(), 1)
            .play(registry(keyLog("tls-suites")), Ending.CAPTURE_ENDED, null, 0)
            .getLast();

    // Each byte is a packet. Behind the first of the request's 36 bytes come the others and a tag,
    // then the header and the nonce of the answer, and its 44 bytes up to the last.
    assertThat(request.departure() - request.arrival()).isEqualTo(36 + 16 + 5 + 8 + 43);
  }

  @Test
  void databasesGoOnInsideTls() throws Exception {
    Reading reading = read(pcap("tls-databases"), keyLog("tls-databases"));

    List<String> postgres =
        List.of(
            "CONNECT 41 410 OK",
            "CREATE TABLE IF NOT EXISTS stories (id int primary key, title text) 73 141 OK",
            "INSERT INTO stories SELECT i, repeat(?) FROM generate_series(?) i ON CONFLICT DO"
                + " NOTHING 104 22 OK",
            "SELECT title FROM stories WHERE id = ? 44 102 OK",
            "SELECT title FROM stories WHERE id = ? 44 102 OK",
            "SELECT title FROM stories WHERE id = ? 44 102 OK",
            "SELECT id, title FROM stories 35 17366 OK",
            "SELECT nothing FROM stories 33 113 ERROR");
    List<String> mariaDb =
        List.of(
            "CONNECT 71 11 OK",
            "CREATE TABLE IF NOT EXISTS items (id int primary key, name varchar(?)) 76 11 OK",
            "REPLACE INTO items VALUES (?) 54 50 OK",
            "SELECT name FROM items WHERE id = ? 40 77 OK",
            "SELECT name FROM items WHERE id = ? 40 77 OK",
            "SELECT * FROM items 24 139 OK",
            "SELECT nothing FROM items 30 49 ERROR");
    for (int connection = 0; connection < 6; connection++) {
      List<String> inside =
          requests(reading, connection).stream()
              .filter(request -> !request.startsWith(HANDSHAKE))
              .toList();
      switch (connection % 3) {
        case 0 -> assertThat(inside).isEqualTo(postgres);
        case 1 -> assertThat(inside).isEqualTo(mariaDb);
        default ->
            assertThat(inside)
                .startsWith("SET 27 5 OK", "GET 20 7 OK", "INCR 21 46 ERROR", "LPUSH 36 4 OK")
                .hasSize(5);
      }
    }
    String suite = " (TLS 1.3, TLS_AES_256_GCM_SHA384), then ";
    assertThat(told(reading))
        .startsWith(
            "PostgreSQL, then TLS, then PostgreSQL: first bytes of the client, then the server"
                + " accepts encryption"
                + suite
                + "first bytes of the client",
            "MySQL, then TLS, then MySQL: first bytes of the server, then the client asks for TLS"
                + suite
                + "the greeting before TLS",
            "TLS, then Redis: first bytes of the client" + suite + "first bytes of the client");
    assertThat(reading.result().losses()).isEmpty();
    assertThat(reading.result().servers())
        .extracting("tier")
        // All have one address here, so that the databases seem to call each other.
        .containsExactlyInAnyOrder("middleware", "middleware", "cache");
  }

  @Test
  void everyCipherSuiteIsRead() throws Exception {
    Reading reading = read(pcap("tls-suites"), keyLog("tls-suites"));

    assertThat(reading.result().losses()).isEmpty();
    assertThat(reading.requests())
        .filteredOn(request -> request.requestClass().equals("GET /stories/{n}"))
        .hasSize(reading.connections().size())
        .hasSize(30)
        .allMatch(request -> request.bytesIn() == 36 && request.bytesOut() == 44);
  }

  @Test
  void updatesOfKeysAndHandshakesWithinAConnectionAreFollowed() throws Exception {
    Reading reading = read(pcap("tls-changes"), keyLog("tls-changes"));

    assertThat(requests(reading, 1)).filteredOn(each -> each.startsWith("GET")).hasSize(4);
    assertThat(requests(reading, 8)).filteredOn(each -> each.startsWith("GET")).hasSize(2);
    assertThat(reading.result().statistics().of(WireCount.EARLY_RECORDS)).isEqualTo(2);
    assertThat(reading.result().statistics().of(WireCount.UNREAD_RECORDS)).isZero();
    assertThat(reading.result().notes())
        .containsExactly(
            "1 TLS connection uses TLS 1.1, which is not decrypted: only its turns are known.",
            "1 TLS connection uses TLS_RSA_WITH_AES_128_CCM, which is not decrypted: only its turns"
                + " are known.");
  }

  /** Losses and early data alone take attempts with other keys and numbers than the next. */
  @ParameterizedTest
  @ValueSource(strings = {"tls-databases", "tls-suites", "tls-changes"})
  void wholeConversationIsReadWithoutTrying(String name) {
    List<RecordedConversation> conversations =
        new ArrayList<>(RecordedConversation.of(name + ".pcap"));
    if (name.equals("tls-changes")) {
      conversations.remove(WITH_EARLY_DATA);
    }
    TlsProtocol tls = protocol(keyLog(name));
    ProtocolRegistry registry = ProtocolRegistry.with(tls, List.of(new RedisProtocol()));
    for (RecordedConversation conversation : conversations) {
      conversation.script().play(registry, Ending.CLOSED, null, 0);
    }

    assertThat(tls.attemptBytes()).isEqualTo(TlsReading.ATTEMPT_BYTES_MAX);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls-databases", "tls-suites", "tls-changes"})
  void withoutKeysTurnsAreThoseOfAnyOpaqueConnection(String name) {
    RandomGenerator seeds = Seeds.generator(Seeds.next("turns-" + name));
    ProtocolRegistry opaque =
        ProtocolRegistry.with(List.of(new Http2Protocol(), new RedisProtocol()));
    for (RecordedConversation conversation : RecordedConversation.of(name + ".pcap")) {
      Script script = conversation.script();
      for (double damage : new double[] {0, 0.2}) {
        long seed = seeds.nextLong();
        assertThat(script.play(registry(new byte[0]), Ending.CLOSED, Seeds.generator(seed), damage))
            .isEqualTo(script.play(opaque, Ending.CLOSED, Seeds.generator(seed), damage));
      }
    }
  }

  @Test
  void nothingIsSaidOfKeysWhereNoneAreGiven() {
    Reading reading = Captures.read(pcap("tls-suites"));

    assertThat(reading.requests()).extracting(Request::requestClass).containsOnly(TURN);
    assertThat(reading.result().losses())
        .containsExactly(WireCount.OPAQUE_CONNECTIONS.sentence(30));
    assertThat(told(reading)).containsOnly("TLS: first bytes of the client");
  }

  @Test
  void connectionWithoutKeysAmongOthersIsTurnsAndCounted() throws Exception {
    String all = new String(keyLog("tls-suites"), StandardCharsets.US_ASCII);
    List<String> lines =
        all.lines().filter(line -> line.startsWith("CLIENT_RANDOM")).skip(3).toList();

    Reading reading =
        read(pcap("tls-suites"), String.join("\n", lines).getBytes(StandardCharsets.US_ASCII));

    assertThat(reading.result().losses())
        .containsExactly(
            WireCount.OPAQUE_CONNECTIONS.sentence(6),
            WireCount.CONNECTIONS_WITHOUT_KEYS.sentence(6));
    assertThat(reading.requests())
        .filteredOn(request -> request.connection() < 6)
        .extracting(Request::requestClass)
        .containsOnly(TURN);
    assertThat(reading.requests())
        .filteredOn(request -> request.requestClass().startsWith("GET"))
        .hasSize(24);
  }

  @Test
  void keysOfAnotherConnectionOpenNothing() throws Exception {
    String all = new String(keyLog("tls-suites"), StandardCharsets.US_ASCII);
    StringBuilder swapped = new StringBuilder();
    List<String> randoms = all.lines().map(line -> line.split(" ", -1)[1]).distinct().toList();
    all.lines()
        .map(line -> line.split(" ", -1))
        .forEach(fields -> {
          // A line of TLS 1.3 gets the secret of a neighbour of TLS 1.3, and so with TLS 1.2.
          boolean isFirstOfPair = randoms.indexOf(fields[1]) % 2 == 0;
          int other = randoms.indexOf(fields[1]) + (isFirstOfPair ? 1 : -1);
          boolean fits = other < randoms.size();
          swapped
              .append(fields[0])
              .append(' ')
              .append(fits ? randoms.get(other) : fields[1].replace('a', 'b'))
              .append(' ')
              .append(fields[2])
              .append('\n');
        });

    Reading reading =
        read(pcap("tls-suites"), swapped.toString().getBytes(StandardCharsets.US_ASCII));

    assertThat(reading.requests()).noneMatch(request -> request.requestClass().startsWith("GET"));
    assertThat(reading.result().statistics().of(WireCount.DECRYPTED_CONNECTIONS)).isZero();
    assertThat(
            reading.result().statistics().of(WireCount.UNFITTING_KEYS)
                + reading.result().statistics().of(WireCount.CONNECTIONS_WITHOUT_KEYS))
        .isEqualTo(30);
    assertThat(reading.result().statistics().of(WireCount.UNFITTING_KEYS)).isGreaterThan(24);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls-databases", "tls-suites", "tls-changes"})
  void bytesOneByOneGiveTheSameRequests(String name) {
    ProtocolRegistry registry = registry(keyLog(name));
    List<RecordedConversation> conversations =
        new ArrayList<>(RecordedConversation.of(name + ".pcap"));
    if (name.equals("tls-changes")) {
      // Its first request was sent early, and HTTP joined midway needs a segment that tells.
      conversations.remove(WITH_EARLY_DATA);
    }
    for (RecordedConversation conversation : conversations) {
      List<Row> whole = conversation.script().play(registry, Ending.CAPTURE_ENDED, null, 0);
      List<Row> bytewise =
          conversation
              .script(conversation.length(), 1)
              .play(registry, Ending.CAPTURE_ENDED, null, 0);

      assertThat(inside(bytewise)).isEqualTo(inside(whole));
    }
  }

  private static List<String> inside(List<Row> rows) {
    return requests(rows.stream().filter(row -> !row.requestClass().equals(HANDSHAKE)).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls-databases", "tls-suites", "tls-changes"})
  void captureThatEndsAtAnyByteHasTheRequestsThatWereAnswered(String name) {
    ProtocolRegistry registry = registry(keyLog(name));
    for (RecordedConversation conversation : RecordedConversation.of(name + ".pcap")) {
      List<String> whole =
          inside(conversation.script().play(registry, Ending.CAPTURE_ENDED, null, 0));
      int step = 1 + conversation.length() / CUTS_PER_CONVERSATION_MAX;
      int answered = 0;
      for (int cut = 0; cut <= conversation.length(); cut += step) {
        List<Row> rows =
            conversation
                .script(cut, Integer.MAX_VALUE)
                .play(registry, Ending.CAPTURE_ENDED, null, 0);
        List<String> complete =
            inside(
                rows.stream()
                    .filter(row -> row.outcome() != Outcome.UNFINISHED)
                    .filter(row -> !row.requestClass().endsWith("turn"))
                    .toList());
        List<String> sound = whole.stream().filter(each -> !each.contains("turn ")).toList();
        assertThat(complete).as("cut at " + cut).isEqualTo(sound.subList(0, complete.size()));
        assertThat(complete.size()).isGreaterThanOrEqualTo(answered);
        answered = complete.size();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls-databases", "tls-suites", "tls-changes"})
  void damageNeverFails(String name) {
    RandomGenerator random = Seeds.generator(Seeds.next("damage-" + name));
    ProtocolRegistry registry = registry(keyLog(name));
    List<RecordedConversation> conversations = RecordedConversation.of(name + ".pcap");
    for (int i = 0; i < DAMAGED_CASES; i++) {
      Script script = conversations.get(i % conversations.size()).script();

      List<Row> whole = script.play(registry, Ending.CLOSED, random, 0);
      List<Row> damaged = script.play(registry, Ending.CLOSED, random, random.nextDouble(0.3));

      assertThat(damaged).hasSizeLessThan(2 * whole.size() + 100);
    }
  }

  private static int lengthAt(byte[] capture, int at) {
    return (capture[at + 8] & 0xff)
        | (capture[at + 9] & 0xff) << 8
        | (capture[at + 10] & 0xff) << 16;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls-databases", "tls-changes"})
  void lostPacketBehindTheHandshakeCostsTheRequestsAroundItAlone(String name) throws Exception {
    byte[] whole = pcap(name);
    Reading all = read(whole, keyLog(name));
    int at = FILE_HEADER;
    int tried = 0;
    for (int packet = 1; at < whole.length; packet++) {
      int end = at + RECORD_HEADER + lengthAt(whole, at);
      if (isBehindHandshake(all, whole, at, packet)) {
        Reading reading = read(TcpCapture.without(whole, at, end), keyLog(name));
        List<String> missing = new ArrayList<>(answered(all));
        answered(reading).forEach(missing::remove);
        assertThat(missing).as("without packet " + packet).hasSizeLessThanOrEqualTo(2);
        assertThat(reading.result().statistics().of(WireCount.DECRYPTION_LOST)).isZero();
        tried++;
      }
      at = end;
    }
    assertThat(tried).isGreaterThan(20);
  }

  private static int portAt(byte[] capture, int at) {
    return (capture[at] & 0xff) << 8 | (capture[at + 1] & 0xff);
  }

  /** Whether the packet at an index comes behind the first byte inside of its connection. */
  private static boolean isBehindHandshake(Reading reading, byte[] capture, int at, int packet) {
    int ports = at + RECORD_HEADER + ETHERNET_AND_IP;
    for (ObservedConnection connection : reading.connections()) {
      String client = connection.clientAddress();
      int port = Integer.parseInt(client.substring(client.indexOf(':') + 1));
      if (portAt(capture, ports) == port || portAt(capture, ports + 2) == port) {
        return reading.requests().stream()
            .filter(request -> request.connection() == connection.connection())
            .filter(request -> !request.requestClass().startsWith("TLS "))
            .anyMatch(request -> request.exchange().firstFrame() <= packet);
      }
    }
    return false;
  }

  private static List<String> answered(Reading reading) {
    return reading.requests().stream()
        .filter(each -> each.outcome() == Outcome.OK || each.outcome() == Outcome.ERROR)
        .filter(each -> !each.requestClass().startsWith("TLS "))
        .map(each -> each.connection() + " " + each.requestClass() + " " + each.arrivalNanos())
        .toList();
  }

  @Test
  void anyOtherLostPacketFailsNothingAndCostsItsConnectionAlone() throws Exception {
    byte[] whole = pcap("tls-suites");
    Reading all = read(whole, keyLog("tls-suites"));
    int at = FILE_HEADER;
    for (int packet = 1; at < whole.length; packet++) {
      int end = at + RECORD_HEADER + lengthAt(whole, at);
      if (packet % 5 == 0) {
        Reading reading = read(TcpCapture.without(whole, at, end), keyLog("tls-suites"));
        List<String> missing = new ArrayList<>(answered(all));
        answered(reading).forEach(missing::remove);
        assertThat(missing).as("without packet " + packet).hasSizeLessThanOrEqualTo(1);
      }
      at = end;
    }
  }

  @Test
  void severalPacketsLostInARowCostTheRequestsInThemAlone() throws Exception {
    byte[] whole = pcap("tls-databases");
    Reading all = read(whole, keyLog("tls-databases"));
    int first = FILE_HEADER;
    for (int packet = 1; packet < 21; packet++) {
      first += RECORD_HEADER + lengthAt(whole, first);
    }
    int end = first;
    for (int packet = 21; packet < 27; packet++) {
      end += RECORD_HEADER + lengthAt(whole, end);
    }

    Reading reading = read(TcpCapture.without(whole, first, end), keyLog("tls-databases"));

    List<String> missing = new ArrayList<>(answered(all));
    answered(reading).forEach(missing::remove);
    // The insertion and two of the queries lie in these packets.
    assertThat(missing).hasSizeBetween(3, 4);
    assertThat(reading.result().statistics().of(WireCount.UNREAD_RECORDS)).isEqualTo(6);
    assertThat(reading.result().statistics().of(WireCount.DECRYPTION_LOST)).isZero();
  }

  @Test
  void captureThatBeginsMidwayHasTurnsOfTheConnectionThatWasOpen() throws Exception {
    byte[] whole = pcap("tls-databases");
    int at = FILE_HEADER;
    for (int i = 0; i < 30; i++) {
      at += RECORD_HEADER + lengthAt(whole, at);
    }

    Reading reading = read(TcpCapture.without(whole, FILE_HEADER, at), keyLog("tls-databases"));

    assertThat(reading.result().statistics().midStreamConnections()).isEqualTo(1);
    assertThat(reading.result().statistics().of(WireCount.DECRYPTED_CONNECTIONS)).isEqualTo(5);
  }
}
