package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.testing.Seeds;
import org.terrace.wire.tcp.Conversation.Ending;

class PostgresDecoderTest {
  private static final int CASES = 2_000;
  private static final int DAMAGED_CASES = 4_000;
  private static final byte[] READY = message('Z', "I");
  private static final byte[] STARTUP = startup(196_608, "user\0board\0\0");
  private static final byte[] WELCOME = join(message('R', "\0\0\0\0"), READY);

  private static byte[] message(char type, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) type)
        .putInt(4 + bytes.length)
        .put(bytes)
        .array();
  }

  private static byte[] startup(int code, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(8 + bytes.length)
        .putInt(8 + bytes.length)
        .putInt(code)
        .put(bytes)
        .array();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static byte[] parse(String name, String sql) {
    return message('P', name + "\0" + sql + "\0\0\0");
  }

  private static byte[] execute(String statement) {
    return join(message('B', "\0" + statement + "\0\0\0\0\0\0\0"), message('E', "\0\0\0\0\0"));
  }

  private static final byte[] SYNC = message('S', "");
  private static final byte[] DONE = join(message('2', ""), message('C', "SELECT 1\0"));

  private static List<Row> play(Script script) {
    return script.play(PostgresDecoder::new, Ending.CAPTURE_ENDED);
  }

  private static Script started() {
    return new Script().client(STARTUP).server(WELCOME);
  }

  private static List<String> classes(Script script) {
    return play(script).stream().map(Row::requestClass).toList();
  }

  @Test
  void simpleQueryRunsUntilReadyForQuery() {
    byte[] query = message('Q', "SELECT 1\0");
    byte[] answer = join(message('T', "\0\0"), message('D', "row"));
    byte[] end = join(message('C', "SELECT 1\0"), READY);

    assertThat(play(started().client(query).server(answer).server(end)))
        .containsExactly(
            new Row("CONNECT", 0, 1, STARTUP.length, WELCOME.length, Outcome.OK),
            new Row("SELECT ?", 2, 4, query.length, answer.length + end.length, Outcome.OK));
  }

  @Test
  void refusedEncryptionGoesOnInPlainTextAndAcceptedOneLeavesTurns() {
    byte[] ask = startup(80_877_103, "");

    assertThat(
            classes(
                new Script()
                    .client(ask)
                    .server("N")
                    .client(STARTUP)
                    .server(WELCOME)
                    .client(message('Q', "COMMIT\0"))
                    .server(READY)))
        .containsExactly("CONNECT", "COMMIT");
    assertThat(classes(new Script().client(ask).server("S").client("\u0016\u0003").server("x")))
        .containsExactly("TLS turn");
  }

  @Test
  void preparedStatementIsRememberedByItsNameUntilItIsClosed() {
    Script script =
        started()
            .client(join(parse("s1", "SELECT a FROM b WHERE c = $1"), execute("s1"), SYNC))
            .server(join(message('1', ""), DONE, READY))
            .client(join(execute("s1"), SYNC))
            .server(join(DONE, READY))
            .client(join(message('C', "Ss1\0"), execute("s1"), SYNC))
            .server(join(message('3', ""), message('E', "SERROR\0\0"), READY));

    assertThat(play(script))
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(
            tuple("CONNECT", Outcome.OK),
            tuple("SELECT a FROM b WHERE c = ?", Outcome.OK),
            tuple("SELECT a FROM b WHERE c = ?", Outcome.OK),
            tuple("(prepared before the capture)", Outcome.ERROR));
  }

  @Test
  void beginIsNotNamedBesideTheStatementItTravelsWith() {
    byte[] begin = join(parse("", "BEGIN"), execute(""));
    byte[] update = join(parse("", "UPDATE a SET b = 1"), execute(""));
    byte[] delete = join(parse("", "DELETE FROM c"), execute(""));

    assertThat(
            classes(
                started()
                    .client(join(begin, update, SYNC))
                    .server(join(DONE, DONE, READY))
                    .client(join(update, update, delete, SYNC))
                    .server(join(DONE, DONE, DONE, READY))
                    .client(join(begin, SYNC))
                    .server(join(DONE, READY))
                    .client(join(parse("x", "SELECT 2"), SYNC))
                    .server(READY)))
        .containsExactly(
            "CONNECT",
            "UPDATE a SET b = ?",
            "UPDATE a SET b = ?; DELETE FROM c",
            "BEGIN",
            "PREPARE SELECT ?");
  }

  @Test
  void pipelinedTurnsAreTakenApartBySync() {
    byte[] turn = join(parse("", "SELECT 1"), execute(""), SYNC);

    assertThat(
            play(
                started()
                    .client(join(turn, turn, turn))
                    .server(join(DONE, READY))
                    .server(join(message('E', "\0"), READY))
                    .server(join(DONE, READY))))
        .extracting(Row::arrival, Row::departure, Row::outcome)
        .containsExactly(
            tuple(0L, 1L, Outcome.OK),
            tuple(2L, 3L, Outcome.OK),
            tuple(2L, 4L, Outcome.ERROR),
            tuple(2L, 5L, Outcome.OK));
  }

  @Test
  void copyIsOneTurnBothWaysAndInBothQueryModes() {
    byte[] data = join(message('d', "1\n"), message('d', "2\n"), message('c', ""));
    Script script =
        started()
            .client(message('Q', "COPY a FROM STDIN\0"))
            .server(message('G', "\0\0\0"))
            .client(data)
            .server(join(message('C', "COPY 2\0"), READY))
            .client(join(parse("", "COPY a FROM STDIN"), execute(""), SYNC))
            .server(join(message('1', ""), message('2', ""), message('G', "\0\0\0")))
            .client(join(data, SYNC))
            .server(join(message('C', "COPY 2\0"), READY))
            .client(message('Q', "COPY a TO STDOUT\0"))
            .server(join(message('H', "\0\0\0"), data, message('C', "COPY 2\0"), READY));

    assertThat(play(script))
        .extracting(Row::requestClass, Row::arrival, Row::departure)
        .containsExactly(
            tuple("CONNECT", 0L, 1L),
            tuple("COPY a FROM STDIN", 2L, 5L),
            tuple("COPY a FROM STDIN", 6L, 9L),
            tuple("COPY a TO STDOUT", 10L, 11L));
  }

  @Test
  void fatalErrorCancelAndBreakAreToldApart() {
    assertThat(
            new Script()
                .client(STARTUP)
                .server(message('E', "SFATAL\0\0"))
                .play(PostgresDecoder::new, Ending.CLOSED))
        .containsExactly(new Row("CONNECT", 0, 1, STARTUP.length, 13, Outcome.ERROR));
    assertThat(
            new Script()
                .client(startup(80_877_102, "12345678"))
                .play(PostgresDecoder::new, Ending.CLOSED))
        .containsExactly(new Row("CANCEL REQUEST", 0, 1, 16, 0, Outcome.OK));
    assertThat(
            started().client(message('Q', "SELECT 1\0")).play(PostgresDecoder::new, Ending.RESET))
        .last()
        .extracting(Row::outcome)
        .isEqualTo(Outcome.ABORTED);
  }

  @Test
  void anySegmentationGivesTheSameRequests() {
    RandomGenerator random = Seeds.generator(Seeds.next("postgres-segmentation"));
    for (int i = 0; i < CASES; i++) {
      Script script = randomScript(random);
      List<Row> whole = play(script);

      assertThat(script.play(PostgresDecoder::new, Ending.CAPTURE_ENDED, random, 0))
          .isEqualTo(whole);
      assertThat(whole).isNotEmpty().allMatch(row -> row.outcome() != Outcome.UNFINISHED);
    }
  }

  @Test
  void damagedStreamsNeverFailAndHoldNoMemory() {
    RandomGenerator random = Seeds.generator(Seeds.next("postgres-damage"));
    for (int i = 0; i < DAMAGED_CASES; i++) {
      double share = random.nextDouble(0.3);
      boolean midStream = random.nextBoolean();
      List<Row> rows =
          randomScript(random)
              .play(
                  midStream ? PostgresDecoder::joinedMidStream : PostgresDecoder::new,
                  Ending.RESET,
                  random,
                  share);

      assertThat(rows).allMatch(row -> row.departure() >= row.arrival());
    }
  }

  private static Script randomScript(RandomGenerator random) {
    Script script = new Script();
    if (random.nextBoolean()) {
      script.client(startup(80_877_103, "")).server("N");
    }
    script.client(STARTUP).server(WELCOME);
    int turns = random.nextInt(1, 8);
    for (int turn = 0; turn < turns; turn++) {
      byte[] row = message('D', "v".repeat(random.nextInt(600)));
      byte[] rows = join(row, row, row);
      if (random.nextInt(3) == 0) {
        script.client(message('Q', "SELECT " + random.nextInt(9) + " " + "x".repeat(900) + "\0"));
        script.server(join(message('T', "\0\0"), rows, message('C', "SELECT 3\0"), READY));
        continue;
      }
      int pipelined = random.nextInt(4) == 0 ? random.nextInt(1, 6) : 1;
      byte[] asked = {};
      byte[] answered = {};
      for (int i = 0; i < pipelined; i++) {
        String name = "s" + random.nextInt(3);
        boolean parse = random.nextBoolean();
        asked =
            join(
                asked,
                parse ? parse(name, "SELECT a FROM t" + random.nextInt(5)) : new byte[0],
                execute(name),
                message('H', ""),
                SYNC);
        answered = join(answered, parse ? message('1', "") : new byte[0], DONE, rows, READY);
      }
      script.client(asked).server(answered);
    }
    return script;
  }
}
