package org.terrace.protocols.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Protocol.Match;
import org.terrace.protocols.decoder.Protocol.Side;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.tcp.Conversation.Ending;

class TextDecoderTest {
  private static final TextProtocol PROTOCOL = new TextProtocol();

  private static List<Row> play(Script script) {
    return script.play(TextDecoder::new, Ending.CAPTURE_ENDED);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void valuesAreNoLinesWhateverTheyHold() {
    assertThat(
            play(
                new Script()
                    .client("set a 0 0 10\r\nget b\r\nEND\r\nget a\r\n")
                    .server("STORED\r\nVALUE a 0 10\r\nget b\r\nEND\r\nEND\r\n")))
        .extracting(Row::requestClass, Row::bytesIn, Row::bytesOut)
        .containsExactly(tuple("SET", 26L, 8L), tuple("GET", 7L, 31L));
  }

  @Test
  void whatAsksForNoAnswerIsNoRequest() {
    assertThat(
            play(
                new Script()
                    .client("set a 0 0 1 noreply\r\nx\r\nmg a v q\r\nmg b v q\r\nmn\r\nget a\r\n")
                    .server("VA 1\r\nx\r\nMN\r\nVALUE a 0 1\r\nx\r\nEND\r\n")))
        .extracting(Row::requestClass, Row::bytesOut, Row::outcome)
        .containsExactly(tuple("MN", 4L, Outcome.OK), tuple("GET", 21L, Outcome.OK));
  }

  @Test
  void moreCommandsThanMayWaitAreGivenUpWithTheirAnswers() {
    Script script = new Script();
    for (int i = 0; i <= TextDecoder.PIPELINED_MAX; i++) {
      script.client("get a\r\n");
    }
    script.server("END\r\n".repeat(TextDecoder.PIPELINED_MAX)).server("VALUE a 0 0\r\n\r\nEND\r\n");

    List<Row> rows = play(script);

    assertThat(rows).hasSize(TextDecoder.PIPELINED_MAX + 1);
    assertThat(rows)
        .filteredOn(row -> row.outcome() == Outcome.OK)
        .extracting(Row::departure)
        .containsExactly(TextDecoder.PIPELINED_MAX + 2L);
  }

  @Test
  void endThatIsHiddenIsTheLastByteBeforeTheNextCommand() {
    assertThat(
            play(
                new Script()
                    .client("get a\r\n")
                    .serverWithoutEnd("VALUE a 0 2000\r\nx", 3_000)
                    .client("get b\r\n")
                    .server("END\r\n")))
        .extracting(Row::departure, Row::outcome)
        .containsExactly(tuple(1L, Outcome.OK), tuple(3L, Outcome.OK));
  }

  @Test
  void firstWordsAndWholeLinesTellTheProtocol() {
    assertThat(PROTOCOL.ofClientStart(bytes("ge"), 0, 2)).isEqualTo(Match.MORE);
    assertThat(PROTOCOL.ofClientStart(bytes("get"), 0, 3)).isEqualTo(Match.MORE);
    assertThat(PROTOCOL.ofClientStart(bytes("gets x"), 0, 6)).isEqualTo(Match.YES);
    assertThat(PROTOCOL.ofClientStart(bytes("mn\r\n"), 0, 4)).isEqualTo(Match.YES);
    assertThat(PROTOCOL.ofClientStart(bytes("getting on"), 0, 10)).isEqualTo(Match.NO);
    assertThat(PROTOCOL.ofClientStart(bytes("GET / HTTP/1.1"), 0, 14)).isEqualTo(Match.NO);
    assertThat(sender("get a b\r\n")).isEqualTo(Side.CLIENT);
    assertThat(sender("set a 0 0 x\r\n")).isNull();
    assertThat(sender("VALUE a 0 100 17\r\nabc")).isEqualTo(Side.SERVER);
    assertThat(sender("VALUE of things\r\n")).isNull();
    assertThat(sender("NOT_FOUND\r\n")).isEqualTo(Side.SERVER);
  }

  private static Object sender(String text) {
    return PROTOCOL.senderOf(bytes(text), 0, text.length());
  }
}
