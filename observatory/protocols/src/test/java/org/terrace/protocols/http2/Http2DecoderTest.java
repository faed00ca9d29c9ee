package org.terrace.protocols.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Protocol.Side;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.protocols.decoder.TransactionIdentifiers;
import org.terrace.testing.Seeds;
import org.terrace.wire.tcp.Conversation.Ending;

class Http2DecoderTest {
  private static final int CASES = 1_000;
  private static final int DAMAGED_CASES = 3_000;
  private static final byte[] SETTINGS = frame(4, 0, 0, "");
  private static final String OK = "\u0088";
  private static final String CONTINUE = "H\u0003100";
  private static final String NOT_FOUND = "\u008d";

  private static byte[] frame(int type, int flags, int stream, String body) {
    byte[] bytes = new byte[9 + body.length()];
    bytes[0] = (byte) (body.length() >> 16);
    bytes[1] = (byte) (body.length() >> 8);
    bytes[2] = (byte) body.length();
    bytes[3] = (byte) type;
    bytes[4] = (byte) flags;
    bytes[7] = (byte) (stream >> 8);
    bytes[8] = (byte) stream;
    byte[] said = body.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(said, 0, bytes, 9, said.length);
    return bytes;
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  /** Headers of one frame; flag 1 ends the stream. */
  private static byte[] headers(int stream, boolean ends, String block) {
    return frame(1, 4 | (ends ? 1 : 0), stream, block);
  }

  private static byte[] data(int stream, boolean ends, String body) {
    return frame(0, ends ? 1 : 0, stream, body);
  }

  /** A GET, of which the path is to be remembered. */
  private static String get(String path) {
    return "\u0082\u0086D" + (char) path.length() + path;
  }

  private static Script started() {
    return new Script().client(join(Http2Frame.PREFACE, SETTINGS)).server(SETTINGS);
  }

  private static List<Row> play(Script script) {
    return script.play(Http2Decoder::new, Ending.CAPTURE_ENDED);
  }

  @Test
  void theTraceOfAStreamIsTold() {
    String trace = "0af7651916cd43dd8448eb211c80319c";
    String parent = "00-" + trace + "-b7ad6b7169203331-01";
    String withTrace = get("/a") + "@\u000btraceparent" + (char) parent.length() + parent;

    List<Row> rows =
        play(
            started()
                .client(join(headers(1, true, withTrace), headers(3, true, get("/b"))))
                .server(join(headers(1, true, OK), headers(3, true, OK))));

    assertThat(rows.get(0).identifier())
        .isEqualTo(
            TransactionIdentifiers.ofTrace(trace.getBytes(StandardCharsets.ISO_8859_1), 0, 32))
        .isNotZero();
    assertThat(rows.get(1).identifier()).isZero();
  }

  @Test
  void streamsThatInterleaveAreRequestsOfTheirOwn() {
    assertThat(
            play(
                started()
                    .client(join(headers(1, true, get("/a")), headers(3, false, get("/b"))))
                    .client(data(3, true, "12345"))
                    .server(join(headers(3, false, OK), data(3, false, "x")))
                    .server(join(headers(1, false, OK), data(1, true, "yy")))
                    .server(data(3, true, "zzz"))))
        .containsExactly(
            new Row("GET /a", 2, 5, 15, 10 + 11, Outcome.OK),
            new Row("GET /b", 2, 6, 15 + 14, 10 + 10 + 12, Outcome.OK));
  }

  @Test
  void statusesOfResponsesAndOfCallsTellFailures() {
    String call = "\u0083\u0086D\u0004/s/m_\u0010application/grpc";
    String status = "@\u000bgrpc-status\u0001";

    assertThat(
            play(
                started()
                    .client(headers(1, true, get("/a")))
                    .server(headers(1, true, NOT_FOUND))
                    .client(join(headers(3, false, call), data(3, true, "\0\0\0\0\0")))
                    .server(headers(3, false, OK))
                    .server(headers(3, true, status + "0"))
                    .client(join(headers(5, false, call), data(5, true, "\0\0\0\0\0")))
                    .server(headers(5, true, OK + status + "9"))))
        .extracting(Row::requestClass, Row::departure, Row::outcome)
        .containsExactly(
            tuple("GET /a", 3L, Outcome.ERROR),
            tuple("gRPC /s/m", 6L, Outcome.OK),
            tuple("gRPC /s/m", 8L, Outcome.ERROR));
  }

  @Test
  void interimResponsesAndPromisesAnswerNothing() {
    byte[] promise = frame(5, 4, 1, "\0\0\0\u0002" + get("/pushed"));

    assertThat(
            play(
                started()
                    .client(headers(1, false, get("/a")))
                    .server(join(headers(1, false, CONTINUE), promise))
                    .client(data(1, true, "body"))
                    .server(join(headers(2, false, OK), data(2, true, "pushed")))
                    .server(headers(1, true, OK))))
        .extracting(Row::requestClass, Row::departure, Row::outcome)
        .containsExactly(tuple("GET /a", 6L, Outcome.OK));
  }

  @Test
  void headersGoOnInFurtherFramesAndMayBePadded() {
    String block = get("/long");
    byte[] padded = frame(1, 0x29, 1, "\u0003\0\0\0\0\u0010" + block.substring(0, 4) + "\0\0\0");

    assertThat(
            play(
                started()
                    .client(join(padded, frame(9, 0, 1, block.substring(4, 6))))
                    .client(frame(9, 4, 1, block.substring(6)))
                    .server(headers(1, true, OK))))
        .extracting(Row::requestClass, Row::arrival, Row::departure)
        .containsExactly(tuple("GET /long", 2L, 4L));
  }

  @Test
  void streamsThatAreResetAreAborted() {
    byte[] reset = frame(3, 0, 1, "\0\0\0\u0008");

    assertThat(
            play(
                started()
                    .client(headers(1, true, get("/a")))
                    .client(reset)
                    .server(headers(1, true, OK))
                    .client(headers(3, true, "\u0082\u0086\u00be"))
                    .server(headers(3, true, OK))))
        .extracting(Row::requestClass, Row::departure, Row::outcome)
        .containsExactly(tuple("GET /a", 3L, Outcome.ABORTED), tuple("GET /a", 6L, Outcome.OK));
  }

  @Test
  void pathSentBeforeTheCaptureIsUnknownUntilItIsSentAgain() {
    Script script =
        new Script()
            .server("rest of data")
            .client(headers(21, true, "\u0082\u0086\u00be"))
            .server(headers(21, true, OK))
            .client(headers(23, true, get("/b")))
            .server(headers(23, true, OK))
            .client(
                join(headers(25, true, "\u0082\u0086\u00be"), headers(27, true, "\u0082\u00bf")))
            .server(join(headers(25, true, OK), headers(27, true, OK)));

    assertThat(script.play(Http2Decoder::joinedMidStream, Ending.CAPTURE_ENDED))
        .extracting(Row::requestClass)
        .containsExactly(
            "(path sent before the capture)", "GET /b", "GET /b", "(path sent before the capture)");
  }

  @Test
  void moreStreamsThanMayBeOpenDisplaceTheEldest() {
    Script script = started();
    for (int i = 0; i <= Http2Decoder.STREAMS_MAX; i++) {
      script.client(headers(2 * i + 1, true, "\u0082\u0086\u0084"));
    }

    List<Row> rows = script.play(Http2Decoder::new, Ending.CLOSED);

    assertThat(rows).hasSize(Http2Decoder.STREAMS_MAX + 1);
    assertThat(rows.getFirst().outcome()).isEqualTo(Outcome.UNFINISHED);
    assertThat(rows.getLast().outcome()).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void requestThatAsksForHttp2IsAnsweredInIt() {
    String asks = "GET /a HTTP/1.1\r\nUpgrade: h2c\r\n\r\n";
    String switches = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n";
    Script script =
        new Script()
            .client(asks)
            .server(switches)
            .server(SETTINGS)
            .client(join(Http2Frame.PREFACE, SETTINGS))
            .server(headers(1, false, OK))
            .client(headers(3, true, get("/b")))
            .server(join(data(1, true, "x"), headers(3, true, NOT_FOUND)));

    assertThat(script.play(List.of(new Http2Protocol()), Ending.CAPTURE_ENDED))
        .containsExactly(
            new Row("GET /a", 0, 6, asks.length(), switches.length() + 10 + 10, Outcome.OK),
            new Row("GET /b", 5, 6, 15, 10, Outcome.ERROR));
  }

  @Test
  void requestThatAsksForSomethingElseIsAnsweredByTheSwitch() {
    String asks = "GET /a HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";
    String switches = "HTTP/1.1 101 Switching Protocols\r\n\r\n";

    assertThat(
            new Script()
                .client(asks)
                .server(switches)
                .play(List.of(new Http2Protocol()), Ending.CAPTURE_ENDED))
        .containsExactly(new Row("GET /a", 0, 1, asks.length(), switches.length(), Outcome.OK));
    assertThat(
            new Script()
                .client(asks)
                .server(switches)
                .client("\u0081\u0085abcdefgh")
                .server("\u0081\u0005hello")
                .play(List.of(new Http2Protocol()), Ending.CAPTURE_ENDED))
        .extracting(Row::requestClass, Row::departure)
        .containsExactly(tuple("GET /a", 1L), tuple("upgraded turn", 3L));
  }

  @Test
  void serverThatSpeaksFirstIsRecognised() {
    byte[] settings = frame(4, 0, 0, "\0\u0003\u007f\u00ff\u00ff\u00ff");

    assertThat(
            new Script()
                .server(settings)
                .client(join(Http2Frame.PREFACE, SETTINGS, headers(1, true, get("/a"))))
                .server(headers(1, true, OK))
                .play(List.of(new Http2Protocol()), Ending.CAPTURE_ENDED))
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(tuple("GET /a", Outcome.OK));
  }

  private static Script conversation() {
    Script script = started();
    for (int i = 0; i < 4; i++) {
      int stream = 4 * i + 1;
      script
          .client(join(headers(stream, true, get("/a" + i)), headers(stream + 2, false, get("/b"))))
          .client(join(data(stream + 2, true, "x".repeat(300)), frame(6, 0, 0, "pingpong")))
          .server(join(headers(stream, false, OK), headers(stream + 2, false, NOT_FOUND)))
          .server(join(data(stream, true, "y".repeat(500)), data(stream + 2, true, "")));
    }
    return script;
  }

  @Test
  void anySegmentationGivesTheSameRequests() {
    List<Row> whole = play(conversation());
    RandomGenerator random = Seeds.generator(Seeds.next("http2-segmentation"));
    for (int i = 0; i < CASES; i++) {
      assertThat(conversation().play(Http2Decoder::new, Ending.CAPTURE_ENDED, random, 0))
          .isEqualTo(whole);
    }
    assertThat(whole).hasSize(8).allMatch(row -> row.outcome() != Outcome.UNFINISHED);
  }

  @Test
  void damageNeverFails() {
    RandomGenerator random = Seeds.generator(Seeds.next("http2-damage"));
    for (int i = 0; i < DAMAGED_CASES; i++) {
      assertThat(
              conversation().play(Http2Decoder::new, Ending.CLOSED, random, random.nextDouble(0.5)))
          .hasSizeLessThan(20);
      assertThat(
              conversation()
                  .play(
                      Http2Decoder::joinedMidStream, Ending.CLOSED, random, random.nextDouble(0.1)))
          .hasSizeLessThan(20);
    }
  }

  @Test
  void noiseBehindSoundFrameHeadersNeverFails() {
    RandomGenerator random = Seeds.generator(Seeds.next("http2-noise"));
    for (int i = 0; i < DAMAGED_CASES; i++) {
      Script script = started();
      for (int line = 0; line < 8; line++) {
        byte[] body = new byte[random.nextInt(40)];
        random.nextBytes(body);
        byte[] noise =
            frame(
                random.nextInt(11),
                random.nextInt(64),
                random.nextInt(7),
                new String(body, StandardCharsets.ISO_8859_1));
        if (random.nextBoolean()) {
          script.client(noise);
        } else {
          script.server(noise);
        }
      }
      assertThat(script.play(Http2Decoder::new, Ending.CLOSED)).hasSizeLessThan(20);
    }
  }

  @Test
  void segmentsInMidStreamTellTheirSender() {
    Http2Protocol protocol = new Http2Protocol();
    byte[] request = join(frame(8, 0, 0, "\0\0\u0001\0"), headers(7, true, "\u0083\u0086\u00c0"));
    byte[] response = join(data(5, true, "xyz"), headers(7, false, "?\u0001" + OK));
    byte[] neither = HexFormat.of().parseHex("000000040000000000");

    assertThat(protocol.senderOf(request, 0, request.length)).isEqualTo(Side.CLIENT);
    assertThat(protocol.senderOf(neither, 0, neither.length)).isNull();
    assertThat(protocol.senderOf(response, 3, response.length)).isNull();
    byte[] plain = join(data(5, true, "xyz"), headers(7, false, OK));
    assertThat(protocol.senderOf(plain, 0, plain.length)).isEqualTo(Side.SERVER);
  }
}
