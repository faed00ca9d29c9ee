package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.testing.Seeds;
import org.terrace.wire.tcp.Conversation.Ending;

class MySqlDecoderTest {
  private static final int CASES = 1_000;
  private static final int DAMAGED_CASES = 3_000;
  private static final int DEPRECATE_EOF = 1 << 24;
  private static final int TLS = 0x800;
  private static final int COMPRESS = 0x20;
  private static final int ZSTD = 1 << 26;
  private static final int PACKED_CASES = 300;
  private static final int MORE_RESULTS = 8;
  private static final int CURSOR = 0x40;

  private static byte[] packet(int sequence, byte[] body) {
    byte[] packet = new byte[4 + body.length];
    packet[0] = (byte) body.length;
    packet[1] = (byte) (body.length >> 8);
    packet[2] = (byte) (body.length >> 16);
    packet[3] = (byte) sequence;
    System.arraycopy(body, 0, packet, 4, body.length);
    return packet;
  }

  private static byte[] packet(int sequence, String body) {
    return packet(sequence, body.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static byte[] greeting() {
    return packet(0, "\n11.4.2-MariaDB\0\u0007\0\0\0" + "x".repeat(60));
  }

  private static byte[] login(int capabilities) {
    byte[] body = new byte[40];
    for (int i = 0; i < 4; i++) {
      body[i] = (byte) (capabilities >> (8 * i));
    }
    return packet(1, body);
  }

  private static byte[] query(String sql) {
    return packet(0, "\u0003" + sql);
  }

  private static byte[] ok(int sequence, int status) {
    return packet(sequence, "\0\0\0" + (char) status + "\0\0\0");
  }

  private static byte[] error(int sequence) {
    return packet(sequence, "\u00ff\u0010\u0004#08004no");
  }

  /** A result of one column, as a server sends it that does or does not put EOF behind columns. */
  private static byte[] result(boolean classic, int sequence, int status, String... rows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int next = sequence;
    bytes.writeBytes(packet(next++, "\u0001"));
    bytes.writeBytes(packet(next++, "\u0003def\0\0\0\u0001a\0\f?\0\u0001\0\0\0\u0003\0\0\0\0\0"));
    if (classic) {
      bytes.writeBytes(packet(next++, "\u00fe\0\0" + (char) (status & CURSOR) + "\0"));
    }
    for (String row : rows) {
      bytes.writeBytes(packet(next++, (char) row.length() + row));
    }
    if ((status & CURSOR) == 0) {
      bytes.writeBytes(packet(next, "\u00fe\0\0" + (char) status + "\0" + (classic ? "" : "\0\0")));
    }
    return bytes.toByteArray();
  }

  private static byte[] prepared(int id, int parameters, int columns, boolean classic) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int next = 1;
    bytes.writeBytes(
        packet(
            next++,
            "\0" + (char) id + "\0\0\0" + (char) columns + "\0" + (char) parameters + "\0\0\0\0"));
    for (int count : new int[] {parameters, columns}) {
      for (int i = 0; i < count; i++) {
        bytes.writeBytes(packet(next++, "\u0003def" + "x".repeat(20)));
      }
      if (count > 0 && classic) {
        bytes.writeBytes(packet(next++, "\u00fe\0\0\u0002\0"));
      }
    }
    return bytes.toByteArray();
  }

  private static long bytes(byte[] message) {
    return message.length;
  }

  private static byte[] execute(int id) {
    String number = id < 0 ? "\u00ff\u00ff\u00ff\u00ff" : (char) id + "\0\0\0";
    return packet(0, "\u0017" + number + "\0\u0001\0\0\0");
  }

  private static Script started(int capabilities) {
    return new Script().server(greeting()).client(login(capabilities)).server(ok(2, 2));
  }

  private static List<Row> play(Script script) {
    return script.play(MySqlDecoder::new, Ending.CAPTURE_ENDED);
  }

  private static List<String> classes(Script script) {
    return play(script).stream().map(Row::requestClass).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void queryRunsFromItsFirstByteToTheLastOfItsResult(boolean classic) {
    int capabilities = classic ? 0 : DEPRECATE_EOF;
    byte[] answer = result(classic, 1, 0, "x", "yy");

    assertThat(play(started(capabilities).client(query("SELECT 1")).server(answer)))
        .containsExactly(
            new Row("CONNECT", 1, 2, 44, 11, Outcome.OK),
            new Row("SELECT ?", 3, 4, 13, answer.length, Outcome.OK));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void severalResultsAreOneRequestWhicheverKindsTheyHave(boolean classic) {
    byte[] first = result(classic, 1, MORE_RESULTS, "x");
    int next = first.length == 0 ? 0 : classic ? 6 : 5;
    byte[] answer = join(first, ok(next, MORE_RESULTS), result(classic, next + 1, 0, "z"));

    assertThat(
            play(
                started(classic ? 0 : DEPRECATE_EOF)
                    .client(query("CALL two()"))
                    .server(answer)
                    .client(packet(0, "\u000e"))
                    .server(ok(1, 2))))
        .extracting(Row::requestClass, Row::departure, Row::bytesOut)
        .containsExactly(
            tuple("CONNECT", 2L, 11L),
            tuple("CALL two()", 4L, (long) answer.length),
            tuple("PING", 6L, 11L));
  }

  @Test
  void errorsFailTheirRequestAloneEvenBehindRows() {
    byte[] rows = result(true, 1, 0, "x");
    byte[] broken = join(Arrays.copyOf(rows, rows.length - 9), error(5));

    assertThat(
            play(
                started(0)
                    .client(query("SELECT bad"))
                    .server(error(1))
                    .client(query("SELECT worse"))
                    .server(broken)
                    .client(query("COMMIT"))
                    .server(ok(1, 2))))
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(
            tuple("CONNECT", Outcome.OK),
            tuple("SELECT bad", Outcome.ERROR),
            tuple("SELECT worse", Outcome.ERROR),
            tuple("COMMIT", Outcome.OK));
  }

  @Test
  void refusedLoginIsAnErrorAndARefusedConnectionIsNothing() {
    assertThat(play(new Script().server(greeting()).client(login(0)).server(error(2))))
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(tuple("CONNECT", Outcome.ERROR));
    assertThat(play(new Script().server(packet(0, "\u00ff\u0010\u0004Too many connections"))))
        .isEmpty();
  }

  @Test
  void loginOfSeveralPacketsEndsWithItsOk() {
    assertThat(
            play(
                new Script()
                    .server(greeting())
                    .client(login(0))
                    .server(packet(2, "\u00femysql_native_password\0" + "y".repeat(20)))
                    .client(packet(3, "z".repeat(20)))
                    .server(packet(4, "\u0001\u0003"))
                    .server(ok(5, 2))))
        .extracting(Row::requestClass, Row::departure)
        .containsExactly(tuple("CONNECT", 5L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void preparedStatementIsKnownByItsNumberUntilItIsClosed(boolean classic) {
    Script script =
        started(classic ? 0 : DEPRECATE_EOF)
            .client(packet(0, "\u0016SELECT a FROM b WHERE c = ?"))
            .server(prepared(9, 1, 2, classic))
            .client(execute(9))
            .server(result(classic, 1, 0, "x"))
            .client(packet(0, "\u0019\u0009\0\0\0"))
            .client(execute(9))
            .server(error(1));

    assertThat(play(script))
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(
            tuple("CONNECT", Outcome.OK),
            tuple("PREPARE SELECT a FROM b WHERE c = ?", Outcome.OK),
            tuple("SELECT a FROM b WHERE c = ?", Outcome.OK),
            tuple("(prepared before the capture)", Outcome.ERROR));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void executionSentAlongWithItsPreparationIsARequestOfItsOwn(boolean classic) {
    Script script =
        started(classic ? 0 : DEPRECATE_EOF)
            .client(join(packet(0, "\u0016UPDATE a SET b = ?"), execute(-1)))
            .server(join(prepared(9, 1, 0, classic), ok(1, 2)))
            .client(execute(9))
            .server(ok(1, 2));

    assertThat(classes(script))
        .containsExactly(
            "CONNECT", "PREPARE UPDATE a SET b = ?", "UPDATE a SET b = ?", "UPDATE a SET b = ?");
  }

  @Test
  void rowsOfACursorAreFetchedByRequestsOfTheirOwn() {
    Script script =
        started(0)
            .client(packet(0, "\u0016SELECT a FROM b"))
            .server(prepared(9, 0, 1, true))
            .client(execute(9))
            .server(result(true, 1, CURSOR))
            .client(packet(0, "\u001c\u0009\0\0\0\u0005\0\0\0"))
            .server(join(packet(1, "\0\0x"), packet(2, "\u00fe\0\0\u0080\0")));

    assertThat(classes(script))
        .containsExactly("CONNECT", "PREPARE SELECT a FROM b", "SELECT a FROM b", "STMT FETCH");
  }

  @Test
  void fileOfTheClientBelongsToItsRequest() {
    assertThat(
            play(
                started(0)
                    .client(query("LOAD DATA LOCAL INFILE 'a' INTO TABLE b"))
                    .server(packet(1, "\u00fba"))
                    .client(packet(2, "1,2\n"))
                    .client(packet(3, ""))
                    .server(ok(4, 2))))
        .extracting(Row::departure, Row::bytesIn)
        .containsExactly(tuple(2L, 44L), tuple(7L, 4L + 40 + 8 + 4));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eofBehindAPreparationThatNobodyExpectedBelongsToNoOtherAnswer(boolean classic) {
    Script script =
        new Script()
            .client(join(packet(0, "\u0016UPDATE a SET b = ?"), packet(0, "\u000e")))
            .server(join(prepared(9, 1, 0, classic), ok(1, 2)));

    assertThat(script.play(MySqlDecoder::joinedMidStream, Ending.CAPTURE_ENDED))
        .extracting(Row::requestClass, Row::bytesOut, Row::outcome)
        .containsExactly(
            tuple("PREPARE UPDATE a SET b = ?", 44L, Outcome.OK), tuple("PING", 11L, Outcome.OK));
  }

  @Test
  void fileOfMorePacketsThanNumbersIsNoCommand() {
    Script script =
        started(0)
            .client(query("LOAD DATA LOCAL INFILE 'a' INTO TABLE b"))
            .server(packet(1, "\u00fba"));
    for (int i = 2; i < 600; i++) {
      script.client(packet(i & 0xff, "\u0003SELECT 1"));
    }
    script.client(packet(600 & 0xff, "")).server(ok(601 & 0xff, 2));

    assertThat(classes(script.client(query("COMMIT")).server(ok(1, 2))))
        .containsExactly("CONNECT", "LOAD DATA LOCAL INFILE ? INTO TABLE b", "COMMIT");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void preparationSeenFirstTellsWhetherEofPacketsCome(boolean classic) {
    Script script =
        new Script()
            .client(packet(0, "\u0016SELECT a, b FROM c WHERE d = ?"))
            .server(prepared(9, 1, 2, classic))
            .client(join(packet(0, "\u0016UPDATE a SET b = ?"), execute(-1)))
            .server(join(prepared(10, 1, 0, classic), ok(1, 2)))
            .client(execute(9))
            .server(result(classic, 1, 0, "x"));

    assertThat(script.play(MySqlDecoder::joinedMidStream, Ending.CAPTURE_ENDED))
        .extracting(Row::requestClass, Row::departure, Row::bytesOut)
        .containsExactly(
            tuple("PREPARE SELECT a, b FROM c WHERE d = ?", 1L, bytes(prepared(9, 1, 2, classic))),
            tuple("PREPARE UPDATE a SET b = ?", 3L, bytes(prepared(10, 1, 0, classic))),
            tuple("UPDATE a SET b = ?", 3L, 11L),
            tuple("SELECT a, b FROM c WHERE d = ?", 5L, bytes(result(classic, 1, 0, "x"))));
  }

  @Test
  void columnsThatTheClientKnowsMayBeLeftOut() {
    byte[] answer =
        join(packet(1, "\u0001\0"), packet(2, "\u0001x"), packet(3, "\u00fe\0\0\u0002\0\0\0"));

    assertThat(
            play(
                started(DEPRECATE_EOF)
                    .client(query("SELECT 1"))
                    .server(answer)
                    .client(query("COMMIT"))
                    .server(ok(1, 2))))
        .extracting(Row::departure)
        .containsExactly(2L, 4L, 6L);
  }

  @Test
  void tlsAndOtherCompressionThanZlibsLeaveTurns() {
    byte[] asks = Arrays.copyOf(login(TLS), 36);
    asks[0] = 32;
    assertThat(
            classes(
                new Script()
                    .server(greeting())
                    .client(join(asks, new byte[] {0x16, 3, 1}))
                    .server(new byte[] {0x16, 3, 3})))
        .containsExactly("TLS turn");
    assertThat(classes(started(ZSTD).client("abcdefgh").server("hgfedcba")))
        .containsExactly("CONNECT", "compressed turn");
  }

  /** A packet of the compressed protocol, packed or as it is. */
  private static byte[] packed(int sequence, boolean pack, byte[] content) {
    byte[] body = content;
    if (pack) {
      Deflater deflater = new Deflater();
      deflater.setInput(content);
      deflater.finish();
      byte[] buffer = new byte[content.length + 100];
      int length = deflater.deflate(buffer);
      body = Arrays.copyOf(buffer, length);
      deflater.end();
    }
    int unpacked = pack ? content.length : 0;
    byte[] header = {
      (byte) body.length,
      (byte) (body.length >> 8),
      0,
      (byte) sequence,
      (byte) unpacked,
      (byte) (unpacked >> 8),
      0
    };
    return join(header, body);
  }

  private static Script packedConversation() {
    byte[] answer = result(true, 1, 0, "a", "b".repeat(9_000), "c");
    byte[] half = Arrays.copyOf(answer, 5_000);
    byte[] rest = Arrays.copyOfRange(answer, 5_000, answer.length);
    Script script = started(COMPRESS);
    for (int i = 0; i < 3; i++) {
      script
          .client(packed(0, false, query("SELECT " + i)))
          .server(packed(1, true, half))
          .server(packed(2, i % 2 == 0, rest))
          .client(packed(0, true, query("UPDATE a SET b = '" + "x".repeat(200) + "'")))
          .server(packed(1, false, ok(1, 2)));
    }
    return script;
  }

  @Test
  void whatZlibPackedIsUnpacked() {
    assertThat(play(packedConversation()))
        .extracting(Row::requestClass, Row::arrival, Row::departure, Row::outcome)
        .startsWith(
            tuple("CONNECT", 1L, 2L, Outcome.OK),
            tuple("SELECT ?", 3L, 5L, Outcome.OK),
            tuple("UPDATE a SET b = ?", 6L, 7L, Outcome.OK))
        .hasSize(7);
  }

  @Test
  void packetsThatArePackedMayBeCutDamagedAndLost() {
    List<Row> whole = play(packedConversation());
    RandomGenerator random = Seeds.generator(Seeds.next("mysql-packed"));
    for (int i = 0; i < PACKED_CASES; i++) {
      assertThat(packedConversation().play(MySqlDecoder::new, Ending.CAPTURE_ENDED, random, 0))
          .isEqualTo(whole);
      assertThat(
              packedConversation()
                  .play(MySqlDecoder::new, Ending.CLOSED, random, random.nextDouble(0.3)))
          .hasSizeLessThan(40);
    }
  }

  @Test
  void behindALossPackedCommandsAreFoundAgain() {
    Script script =
        started(COMPRESS)
            .client(packed(0, false, query("SELECT 1")))
            .serverWithoutEnd("\u0010\0\0\u0001\0\0\0ab", 2_000)
            .client(packed(0, true, query("SELECT 'x' FROM a")))
            .server(packed(1, true, result(true, 1, 0, "a", "b".repeat(900), "c")));

    assertThat(play(script))
        .extracting(Row::requestClass, Row::departure, Row::outcome)
        .contains(tuple("SELECT ? FROM a", 6L, Outcome.OK));
  }

  @Test
  void commandLongerThanAPacketAndAnAnswerToItAreOneRequest() {
    byte[] half = new byte[0xffffff];
    Arrays.fill(half, (byte) 'x');
    half[0] = 3;
    byte[] answer = result(true, 3, 0, "x");

    assertThat(
            play(
                started(0)
                    .client(packet(0, half))
                    .client(packet(1, "\u0003rest"))
                    .client(packet(2, ""))
                    .server(answer)
                    .client(packet(0, "\u000e"))
                    .server(ok(1, 2))))
        .extracting(Row::departure, Row::bytesIn)
        .containsExactly(tuple(2L, 44L), tuple(6L, 4L + 0xffffff + 9 + 4), tuple(8L, 5L));
  }

  private static Script conversation(boolean classic) {
    byte[] answer = result(classic, 1, 0, "a", "b".repeat(300), "c");
    Script script = started(classic ? 0 : DEPRECATE_EOF);
    for (int i = 0; i < 3; i++) {
      script
          .client(query("SELECT " + i))
          .server(answer)
          .client(join(packet(0, "\u0016UPDATE a SET b = ?"), execute(-1)))
          .server(join(prepared(9, 1, 0, classic), ok(1, 2)))
          .client(query("bad"))
          .server(error(1));
    }
    return script;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anySegmentationGivesTheSameRequests(boolean classic) {
    List<Row> whole = play(conversation(classic));
    RandomGenerator random = Seeds.generator(Seeds.next("mysql-segmentation"));
    for (int i = 0; i < CASES; i++) {
      assertThat(conversation(classic).play(MySqlDecoder::new, Ending.CAPTURE_ENDED, random, 0))
          .isEqualTo(whole);
    }
    assertThat(whole).hasSize(13);
  }

  @Test
  void damageNeverFails() {
    RandomGenerator random = Seeds.generator(Seeds.next("mysql-damage"));
    for (int i = 0; i < DAMAGED_CASES; i++) {
      assertThat(
              conversation(i % 2 == 0)
                  .play(MySqlDecoder::new, Ending.CLOSED, random, random.nextDouble(0.5)))
          .hasSizeLessThan(40);
      assertThat(
              conversation(i % 2 == 0)
                  .play(
                      MySqlDecoder::joinedMidStream, Ending.CLOSED, random, random.nextDouble(0.1)))
          .hasSizeLessThan(40);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connectionJoinedMidwayIsReadFromItsNextCommand(boolean classic) {
    Script script =
        new Script()
            .server(packet(7, "rest of a row"))
            .client(query("SELECT 1"))
            .server(result(classic, 1, 0, "x"))
            .client(packet(0, "\u0016UPDATE a SET b = ?"))
            .server(prepared(9, 1, 0, classic))
            .client(execute(9))
            .server(ok(1, 2));

    assertThat(script.play(MySqlDecoder::joinedMidStream, Ending.CAPTURE_ENDED))
        .extracting(Row::requestClass, Row::departure, Row::outcome)
        .containsExactly(
            tuple("SELECT ?", 2L, Outcome.OK),
            tuple("PREPARE UPDATE a SET b = ?", 4L, Outcome.OK),
            tuple("UPDATE a SET b = ?", 6L, Outcome.OK));
  }
}
