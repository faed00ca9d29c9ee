package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.protocols.decoder.Script.DecoderMaker;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.tcp.Conversation.Ending;

/** Identifiers in the bytes of requests, as the decoders of their protocols find them. */
class TransactionIdentifiersTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  @Test
  void oneTraceIsOneNumberWhateverCarriesIt() {
    assertThat(
            List.of(
                http("traceparent: " + PARENT),
                http("TraceParent: " + PARENT.toUpperCase(Locale.ROOT)),
                http("b3: " + TRACE + "-e457b5a2e4d86bd1-1"),
                http("X-B3-TraceId: " + TRACE),
                http("x-request-id: another-request\r\ntraceparent: " + PARENT),
                http("traceparent: " + PARENT + "\r\nx-request-id: another-request"),
                postgres("select 1 /*action='a',traceparent='" + PARENT + "'*/;"),
                mysql("select 1 /*traceparent='" + PARENT + "',route='%2F'*/")))
        .containsOnly(http("traceparent: " + PARENT))
        .doesNotContain(0L);
  }

  @Test
  void shortTracesAreLongOnesThatBeginWithZeros() {
    assertThat(http("X-B3-TraceId: 8448eb211c80319c"))
        .isEqualTo(http("X-B3-TraceId: 00000000000000008448eb211c80319c"))
        .isNotZero();
  }

  @Test
  void requestsThatWereGivenANumberHaveIt() {
    assertThat(http("X-Request-ID: f058ebd6-02f7-4d3f-942e-904344e8cde5"))
        .isEqualTo(http("x-request-id: F058EBD6-02F7-4D3F-942E-904344E8CDE5"))
        .isNotEqualTo(http("x-request-id: f058ebd6-02f7-4d3f-942e-904344e8cde6"))
        .isNotZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "traceparent: 00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c",
        "traceparent: ",
        "b3: 0",
        "b3: 0af7651916cd43ddx448eb211c80319c-1",
        "x-request-id: 17",
        "x-other: 0af7651916cd43dd8448eb211c80319c",
      })
  void whatNamesNoTransactionHasNoNumber(String header) {
    assertThat(http(header)).isZero();
  }

  @Test
  void aStatementThatOnlyContainsATraceAsTextHasNoNumber() {
    assertThat(postgres("select 'traceparent=''" + PARENT + "'''")).isZero();
    assertThat(postgres("select '*/' /* x */")).isZero();
    assertThat(postgres("*/")).isZero();
  }

  @Test
  void theNextRequestOfAConnectionHasItsOwn() {
    List<Row> rows =
        play(
            HttpDecoder::new,
            new Script()
                .client("GET /a HTTP/1.1\r\ntraceparent: " + PARENT + "\r\n\r\n")
                .server(OK)
                .client("GET /b HTTP/1.1\r\n\r\n")
                .server(OK));

    assertThat(rows).extracting(Row::identifier).containsExactly(rows.get(0).identifier(), 0L);
  }

  private static long http(String header) {
    return play(
            HttpDecoder::new,
            new Script().client("GET / HTTP/1.1\r\n" + header + "\r\n\r\n").server(OK))
        .getFirst()
        .identifier();
  }

  private static long postgres(String sql) {
    byte[] text = (sql + "\0").getBytes(StandardCharsets.ISO_8859_1);
    byte[] startup =
        ByteBuffer.allocate(13)
            .putInt(13)
            .putInt(196_608)
            .put("user\0".getBytes(StandardCharsets.ISO_8859_1))
            .array();
    return play(
            PostgresDecoder::new,
            new Script()
                .client(startup)
                .server(message('R', new byte[4]))
                .server(message('Z', new byte[] {'I'}))
                .client(message('Q', text))
                .server(message('Z', new byte[] {'I'})))
        .getLast()
        .identifier();
  }

  private static byte[] message(char type, byte[] body) {
    return ByteBuffer.allocate(5 + body.length)
        .put((byte) type)
        .putInt(4 + body.length)
        .put(body)
        .array();
  }

  private static long mysql(String sql) {
    return play(
            MySqlDecoder::new,
            new Script()
                .server(packet(0, "\n11.4.2-MariaDB\0\u0007\0\0\0" + "x".repeat(60)))
                .client(packet(1, "\0".repeat(40)))
                .server(packet(2, "\0\0\0\u0002\0\0\0"))
                .client(packet(0, "\u0003" + sql))
                .server(packet(1, "\0\0\0\u0002\0\0\0")))
        .getLast()
        .identifier();
  }

  private static byte[] packet(int sequence, String body) {
    byte[] text = body.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(4 + text.length)
        .put((byte) text.length)
        .put((byte) 0)
        .put((byte) 0)
        .put((byte) sequence)
        .put(text)
        .array();
  }

  private static List<Row> play(DecoderMaker maker, Script script) {
    return script.play(maker, Ending.CAPTURE_ENDED);
  }
}
