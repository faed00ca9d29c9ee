package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.observation.ValueSketch;
import org.terrace.protocols.decoder.Script.DecoderMaker;
import org.terrace.protocols.values.CarriedValues;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.tcp.Conversation.Ending;

/**
 * Requests of which a snap length or a loss has cut a part carry values of the whole one or none,
 * and nothing is held of a request's body once it is over.
 */
class CutValuesTest {
  private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
  private static final String NO_CONTENT = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private static final String PREPARE = "\u0016SELECT a FROM t WHERE id = ?";
  private static final String TOLD = "\u0017\u0009\0\0\0\0\u0001\0\0\0\0\u0001\u0008\0";
  private static final String UNTOLD = "\u0017\u0009\0\0\0\0\u0001\0\0\0\0\0";
  private static final String NUMBER = "\u00d2\u0004\0\0\0\0\0\0";
  private static final String DONE = "\u0007\0\0\u0001\0\0\0\u0002\0\0\0";

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static long sketch(String text) {
    byte[] bytes = bytes(text);
    return ValueSketch.add(ValueSketch.NONE, bytes, 0, bytes.length);
  }

  private static Set<Integer> values(Script script, DecoderMaker maker) {
    List<Long> sketches = script.carriedValues(maker);
    long last = sketches.isEmpty() ? ValueSketch.NONE : sketches.getLast();
    return IntStream.range(0, ValueSketch.LANES)
        .map(lane -> ValueSketch.lane(last, lane))
        .filter(value -> value != 0)
        .boxed()
        .collect(Collectors.toSet());
  }

  private static byte[] packet(String body) {
    return bytes((char) body.length() + "\0\0\0" + body);
  }

  private static byte[] message(String type, String body) {
    return bytes(type + "\0\0\0" + (char) (body.length() + 4) + body);
  }

  private static Script mySql(int capabilities) {
    StringBuilder login = new StringBuilder("(\0\0\u0001");
    for (int i = 0; i < 4; i++) {
      login.append((char) (capabilities >>> (8 * i) & 0xff));
    }
    return new Script()
        .server("K\0\0\0\n8.4.2-mysql\0\u0007\0\0\0" + "x".repeat(58))
        .client(login.append("\0".repeat(36)).toString())
        .server("\u0007\0\0\u0002\0\0\0\u0002\0\0\0");
  }

  private static Script preparedStatement() {
    return mySql(1 << 24)
        .client(packet(PREPARE))
        .server("\u000c\0\0\u0001\0\u0009\0\0\0\0\0\u0001\0\0\0\0")
        .server("\u0005\0\0\u0002xxxxx");
  }

  /** Each request cut anywhere behind the bytes that tell its length. */
  private static Stream<Script> cuts(Script before, byte[] request, int from, String answer) {
    return IntStream.range(from, request.length)
        .mapToObj(cut -> {
          byte[] there = Arrays.copyOf(request, cut);
          return before.from(0).clientWithoutEnd(there, request.length - cut).server(answer);
        });
  }

  private static void assertNoOtherValues(
      DecoderMaker maker, Script before, byte[] request, int from, String answer) {
    Set<Integer> whole = values(before.from(0).client(request).server(answer), maker);
    assertThat(whole).hasSizeGreaterThan(1);
    assertThat(cuts(before, request, from, answer))
        .allSatisfy(cut -> assertThat(whole).containsAll(values(cut, maker)))
        .anySatisfy(cut -> assertThat(values(cut, maker)).isNotEmpty());
  }

  @Test
  void aStatementOfMySqlThatWasCut() {
    assertNoOtherValues(
        MySqlDecoder::new,
        mySql(0),
        packet("\u0003SELECT a FROM t WHERE id = 123456 AND tree = 'walnut'"),
        6,
        "\u0007\0\0\u0001\0\0\0\u0002\0\0\0");
  }

  @Test
  void aStatementOfPostgresqlThatWasCut() {
    Script started =
        new Script()
            .client("\0\0\0\u0010\0\u0003\0\0user\0me\0")
            .server("R\0\0\0\u0008\0\0\0\0Z\0\0\0\u0005I");
    assertNoOtherValues(
        PostgresDecoder::new,
        started,
        message("Q", "SELECT a FROM t WHERE id = 123456 AND tree = 'walnut'\0"),
        6,
        "C\0\0\0\rSELECT 1\0Z\0\0\0\u0005I");
  }

  @Test
  void aFormThatWasCut() {
    String head = "POST /story HTTP/1.1\r\n" + FORM + "Content-Length: 31\r\n\r\n";
    assertNoOtherValues(
        HttpDecoder::new,
        new Script(),
        bytes(head + "id=123456&tree=walnut&more=9876"),
        head.length(),
        NO_CONTENT);
  }

  @Test
  void jsonThatWasCut() {
    String head =
        "POST /a HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 46\r\n\r\n";
    assertNoOtherValues(
        HttpDecoder::new,
        new Script(),
        bytes(head + "{\"name\": 123456, \"story\": \"walnut\", \"x\": 9876}"),
        head.length(),
        NO_CONTENT);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void aFormThatIsLongerThanWhatIsLookedAt(int more) {
    String blanks = "+".repeat(CarriedValues.BYTES_MAX - "id=".length() - "123456".length() + more);
    String body = "id=" + blanks + "123456";
    Script script =
        new Script()
            .client("POST /story HTTP/1.1\r\n" + FORM)
            .client("Content-Length: " + body.length() + "\r\n\r\n" + body)
            .server(NO_CONTENT);

    assertThat(script.carriedValues(HttpDecoder::new))
        .containsExactly(more == 0 ? sketch("123456") : ValueSketch.NONE);
  }

  @Test
  void aFormThatIsPackedForTheWayCarriesNone() {
    Script script =
        new Script()
            .client("POST /story HTTP/1.1\r\n" + FORM + "Transfer-Encoding: gzip, chunked\r\n\r\n")
            .client("b\r\nid=12345678\r\n0\r\n\r\n")
            .server(NO_CONTENT);

    assertThat(script.carriedValues(HttpDecoder::new)).containsExactly(ValueSketch.NONE);
  }

  /** A server may refuse a body before it has come; the connection may then wait for hours. */
  @Test
  void theBodyOfARequestThatWasAnsweredBeforeItsEndIsNotHeld() {
    DecoderContext context =
        new DecoderContext(new Counters(), ProtocolRegistry.with(List.of()), 10);
    HttpDecoder decoder = new HttpDecoder(context, (requestClass, request, outcome) -> {});
    byte[] head = bytes("POST /a HTTP/1.1\r\n" + FORM + "Content-Length: 9\r\n\r\ntree=");
    decoder.clientData(head, 0, head.length, Script.moment(0));
    byte[] refusal = bytes("HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n");
    decoder.serverData(refusal, 0, refusal.length, Script.moment(1));
    int open = context.memory.taken();
    decoder.clientData(bytes("oaks"), 0, 4, Script.moment(2));

    assertThat(open - context.memory.taken()).isEqualTo(CarriedValues.BYTES_MAX);
    decoder.end(Ending.CAPTURE_ENDED, Script.moment(3));
    assertThat(context.memory.taken()).isZero();
  }

  @Test
  void aQueryBehindAttributesHasTheClassAndTheValuesOfItsText() {
    String attributes = "\u0001\u0001\0\u0001\u00fd\0\u0001a\u0009oaks 9999";
    Script script =
        mySql(1 << 27)
            .client(packet("\u0003" + attributes + "SELECT a FROM t WHERE id = 123456"))
            .server("\u0007\0\0\u0001\0\0\0\u0002\0\0\0");

    assertThat(script.play(MySqlDecoder::new, Ending.CAPTURE_ENDED).getLast().requestClass())
        .isEqualTo("SELECT a FROM t WHERE id = ?");
    assertThat(script.carriedValues(MySqlDecoder::new).getLast()).isEqualTo(sketch("123456"));
  }

  /** Types that were told in a loss are not known: the values of the next ones are not guessed. */
  @Test
  void anExecutionBehindALossOfTypesCarriesNone() {
    Script script =
        preparedStatement()
            .client(packet(TOLD + NUMBER))
            .server(DONE)
            .client(packet(UNTOLD + NUMBER))
            .server(DONE)
            .client(packet(UNTOLD + "\u000942 walnut"))
            .server(DONE);

    List<Long> sketches = script.carriedValues(MySqlDecoder::new);
    assertThat(sketches.subList(sketches.size() - 3, sketches.size()))
        .containsExactly(sketch("1234"), sketch("1234"), ValueSketch.NONE);
  }

  @Test
  void aResetForgetsWhatWasSentBefore() {
    Script script =
        preparedStatement()
            .client(packet("\u0018\u0009\0\0\0\0\0walnut"))
            .client(packet("\u001a\u0009\0\0\0"))
            .server(DONE)
            .client(packet(TOLD + NUMBER))
            .server(DONE);

    assertThat(script.carriedValues(MySqlDecoder::new).getLast()).isEqualTo(sketch("1234"));
  }

  @Test
  void aCutExecutionBehindALossCarriesNone() {
    byte[] cut = Arrays.copyOf(packet(UNTOLD + NUMBER + "walnut"), UNTOLD.length() + 12);
    Script told = preparedStatement().client(packet(TOLD + NUMBER)).server(DONE);
    Script before = told.from(0).clientWithoutEnd(cut, 6).server(DONE);
    Script behind =
        told.from(0)
            .clientWithoutEnd(new byte[0], 20)
            .client(packet("\u0003COMMIT"))
            .server(DONE)
            .clientWithoutEnd(cut, 6)
            .server(DONE);

    assertThat(before.carriedValues(MySqlDecoder::new).getLast()).isEqualTo(sketch("1234"));
    assertThat(behind.carriedValues(MySqlDecoder::new).getLast()).isEqualTo(ValueSketch.NONE);
  }

  /** A statement is closed, another user logs in, and all of a connection is reset. */
  @ParameterizedTest
  @ValueSource(strings = {"\u0019\u0009\0\0\0", "\u0011me\0\0db\0", "\u001f"})
  void statementsThatAreNoMoreAreForgotten(String command) {
    Script script = preparedStatement();
    int open = script.memoryTaken(MySqlDecoder::new);
    script.client(packet(command));

    assertThat(script.memoryTaken(MySqlDecoder::new)).isLessThan(open - 100);
    script.server(DONE).client(packet(TOLD + NUMBER)).server(DONE);
    assertThat(script.carriedValues(MySqlDecoder::new).getLast()).isEqualTo(ValueSketch.NONE);
  }
}
