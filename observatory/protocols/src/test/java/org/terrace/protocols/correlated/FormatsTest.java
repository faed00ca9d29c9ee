package org.terrace.protocols.correlated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.protocols.decoder.Protocol.Match;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.tcp.Conversation.Ending;

/** Messages with lengths and ids that the recorded captures do not show. */
class FormatsTest {
  private static final int REQUEST = 0;
  private static final int REPLY = 1;
  private static final int FRAGMENT = 7;
  private static final int LITTLE_ENDIAN = 1;
  private static final int MORE_FRAGMENTS = 2;

  private static List<Row> play(Protocol protocol, Script script) {
    return script.play(
        (context, output) -> protocol.decoder(context, output, Entry.BEGINNING),
        Ending.CAPTURE_ENDED);
  }

  /** A message of GIOP with a body that is put together in the order of its bytes. */
  private static byte[] giop(int minor, int flags, int type, Object... body) {
    ByteOrder order = (flags & LITTLE_ENDIAN) != 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    ByteBuffer buffer = ByteBuffer.allocate(500).order(order);
    buffer.put(new byte[] {'G', 'I', 'O', 'P', 1, (byte) minor, (byte) flags, (byte) type});
    buffer.putInt(0);
    for (Object part : body) {
      while (buffer.position() % 4 != 0) {
        buffer.put((byte) 0);
      }
      switch (part) {
        case Integer number -> buffer.putInt(number);
        case String text -> {
          buffer.putInt(text.length() + 1);
          buffer.put(text.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
        }
        case byte[] bytes -> buffer.put(bytes);
        default -> throw new AssertionError(part);
      }
    }
    buffer.putInt(8, buffer.position() - 12);
    byte[] message = new byte[buffer.position()];
    buffer.flip().get(message);
    return message;
  }

  private static byte[] giopRequest(int flags, int id, int expects, String operation) {
    byte[] key = {0, 0, 0, 3, 'k', 'e', 'y'};
    byte[] keyHere = {3, 0, 0, 0, 'k', 'e', 'y'};
    byte[] address = {0, 0, 0, 0};
    byte[] ordered = (flags & LITTLE_ENDIAN) != 0 ? keyHere : key;
    return giop(
        2, flags, REQUEST, id, new byte[] {(byte) expects, 0, 0, 0}, address, ordered, operation);
  }

  @Test
  void giopsExceptionsAreErrorsAndWhatExpectsNoReplyIsNone() {
    Script script = new Script();
    for (int status = 0; status <= 3; status++) {
      int flags = status % 2;
      script
          .client(giopRequest(flags, status, 3, "find"))
          .server(giop(2, flags, REPLY, status, status, new byte[40]));
    }
    script.client(giopRequest(0, 9, 0, "note"));

    assertThat(play(new GiopProtocol(), script))
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(
            tuple("find", Outcome.OK),
            tuple("find", Outcome.ERROR),
            tuple("find", Outcome.ERROR),
            tuple("find", Outcome.OK));
  }

  @Test
  void giopsFirstVersionsHaveTheirNumbersBehindContexts() {
    byte[] key = {0, 0, 0, 3, 'k', 'e', 'y'};
    byte[] context = {0, 0, 0, 7, 0, 0, 0, 5, 1, 2, 3, 4, 5};
    for (int minor = 0; minor <= 1; minor++) {
      assertThat(
              play(
                  new GiopProtocol(),
                  new Script()
                      .client(
                          giop(
                              minor,
                              0,
                              REQUEST,
                              1,
                              context,
                              77,
                              new byte[] {1, 0, 0, 0},
                              key,
                              "find"))
                      .server(giop(minor, 0, REPLY, 1, context, 77, 1))))
          .extracting(Row::requestClass, Row::outcome)
          .containsExactly(tuple("find", Outcome.ERROR));
    }
  }

  @Test
  void giopsFragmentsAreOneRequestAndOneReply() {
    List<Row> rows =
        play(
            new GiopProtocol(),
            new Script()
                .client(giopRequest(MORE_FRAGMENTS, 4, 3, "store"))
                .client(giopRequest(0, 6, 3, "find"))
                .client(giop(2, MORE_FRAGMENTS, FRAGMENT, 4, new byte[100]))
                .client(giop(2, 0, FRAGMENT, 4, new byte[50]))
                .server(giop(2, MORE_FRAGMENTS, REPLY, 6, 1, new byte[200]))
                .server(giop(2, 0, REPLY, 4, 0))
                .server(giop(2, 0, FRAGMENT, 6, new byte[20]))
                // What the server asks of the client, and its good-bye, answer nobody.
                .server(giopRequest(0, 4, 3, "call back"))
                .server(giop(2, 0, 5)));

    assertThat(rows)
        .extracting(Row::requestClass, Row::arrival, Row::departure, Row::outcome)
        .containsExactly(tuple("store", 0L, 5L, Outcome.OK), tuple("find", 1L, 6L, Outcome.ERROR));
    assertThat(rows.getFirst().bytesIn()).isGreaterThan(150 + 2 * 12);
  }

  private static byte[] produce(int version, int id, int acknowledgements, boolean withTags) {
    ByteBuffer buffer = ByteBuffer.allocate(200);
    buffer.putInt(0).putShort((short) 0).putShort((short) version).putInt(id);
    buffer.putShort((short) 3).put("app".getBytes(StandardCharsets.US_ASCII));
    if (version >= 9) {
      buffer.put(withTags ? new byte[] {1, 0, 3, 7, 7, 7} : new byte[] {0});
      buffer.put(withTags ? new byte[] {3, 't', 'x'} : new byte[] {0});
    } else if (version >= 3) {
      buffer.putShort((short) -1);
    }
    buffer.putShort((short) acknowledgements).putInt(1_500).put(new byte[60]);
    buffer.putInt(0, buffer.position() - 4);
    byte[] message = new byte[buffer.position()];
    buffer.flip().get(message);
    return message;
  }

  private static byte[] kafkaAnswer(int id) {
    return ByteBuffer.allocate(40).putInt(36).putInt(id).array();
  }

  @Test
  void kafkasProducersThatAskForNoAcknowledgementAreNotAnswered() {
    for (int version : List.of(0, 2, 3, 8, 9, 13)) {
      for (boolean withTags : List.of(false, true)) {
        assertThat(
                play(
                    new KafkaProtocol(),
                    new Script()
                        .client(produce(version, 1, 0, withTags))
                        .client(produce(version, 2, -1, withTags))
                        .client(produce(version, 3, 0, withTags))
                        .client(produce(version, 4, 1, withTags))
                        .server(kafkaAnswer(2))
                        .server(kafkaAnswer(4))))
            .extracting(Row::requestClass, Row::arrival, Row::departure)
            .containsExactly(
                tuple("Produce v" + version, 1L, 4L), tuple("Produce v" + version, 3L, 5L));
      }
    }
  }

  private static byte[] record(int type, int id, byte[] content, int padding) {
    ByteBuffer buffer = ByteBuffer.allocate(8 + content.length + padding);
    buffer.put((byte) 1).put((byte) type).putShort((short) id).putShort((short) content.length);
    buffer.put((byte) padding).put((byte) 0).put(content);
    return buffer.array();
  }

  private static byte[] parameters(String... namesAndValues) {
    ByteBuffer buffer = ByteBuffer.allocate(400);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      buffer.put((byte) namesAndValues[i].length());
      buffer.putInt(namesAndValues[i + 1].length() | Integer.MIN_VALUE);
      buffer.put(namesAndValues[i].getBytes(StandardCharsets.US_ASCII));
      buffer.put(namesAndValues[i + 1].getBytes(StandardCharsets.US_ASCII));
    }
    byte[] content = new byte[buffer.position()];
    buffer.flip().get(content);
    return content;
  }

  @Test
  void fastCgisRequestsShareAConnection() {
    byte[] begin = {0, 1, 1, 0, 0, 0, 0, 0};
    byte[] end = new byte[8];
    byte[] refused = {0, 0, 0, 0, 2, 0, 0, 0};
    byte[] missing = "Status: 404 Not Found\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    byte[] tricky = "Content-Type: text/plain\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    Script script = new Script();
    for (int id = 1; id <= 3; id++) {
      script
          .client(record(1, id, begin, 0))
          .client(
              record(
                  4,
                  id,
                  parameters(
                      "SCRIPT_NAME", "/x", "REQUEST_URI", "/items/" + id, "REQUEST_METHOD", "GET"),
                  5));
    }
    List<Row> rows =
        play(
            new FastCgiProtocol(),
            script
                .client(record(9, 0, parameters("FCGI_MAX_CONNS", ""), 0))
                .server(record(10, 0, new byte[5], 0))
                .server(record(6, 2, tricky, 4))
                .server(record(6, 1, missing, 0))
                // A later part of a body is not read for a status.
                .server(record(6, 2, missing, 0))
                .server(record(3, 3, refused, 0))
                .server(record(3, 2, end, 0))
                .server(record(3, 1, end, 0)));

    assertThat(rows)
        .extracting(Row::requestClass, Row::departure, Row::outcome)
        .containsExactly(
            tuple("GET_VALUES", 7L, Outcome.OK),
            tuple("GET /items/{n}", 11L, Outcome.ERROR),
            tuple("GET /items/{n}", 12L, Outcome.OK),
            tuple("GET /items/{n}", 13L, Outcome.ERROR));
  }

  @Test
  void protocolsThatResembleEachOtherAreToldApart() {
    byte[] begin = record(1, 1, new byte[] {0, 1, 1, 0, 0, 0, 0, 0}, 0);
    byte[] postgres = {0, 0, 0, 40, 0, 3, 0, 1, 'u', 's', 'e', 'r', 0, 'a', 'n', 'n', 0};
    byte[] tls = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 1, 1, 1, 1, 1};
    byte[] http = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    assertThat(new FastCgiProtocol().ofClientStart(begin, 0, begin.length)).isEqualTo(Match.YES);
    for (byte[] other : List.of(begin, postgres, tls, http)) {
      for (Protocol protocol :
          List.of(
              new KafkaProtocol(), new ThriftProtocol(), new GiopProtocol(), new AjpProtocol())) {
        assertThat(protocol.ofClientStart(other, 0, other.length))
            .as(protocol.name())
            .isEqualTo(Match.NO);
      }
    }
  }

  @Test
  void startThatIsCutAnywhereAsksForMore() {
    byte[] kafka = produce(9, 1, 1, false);
    byte[] giop = giopRequest(0, 1, 3, "find");
    byte[] fastCgi = record(1, 1, new byte[] {0, 1, 1, 0, 0, 0, 0, 0}, 0);
    List<Protocol> protocols =
        List.of(new KafkaProtocol(), new GiopProtocol(), new FastCgiProtocol());
    List<byte[]> starts = List.of(kafka, giop, fastCgi);
    for (int i = 0; i < starts.size(); i++) {
      for (int to = 1; to <= Protocol.START_BYTES_MAX; to++) {
        Match match = protocols.get(i).ofClientStart(starts.get(i), 0, to);
        assertThat(match).as(protocols.get(i).name() + " cut at " + to).isNotEqualTo(Match.NO);
      }
      assertThat(protocols.get(i).ofClientStart(starts.get(i), 0, Protocol.START_BYTES_MAX))
          .isEqualTo(Match.YES);
    }
  }
}
