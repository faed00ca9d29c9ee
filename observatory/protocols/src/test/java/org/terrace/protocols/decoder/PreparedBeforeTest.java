package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.captures.Captures;
import org.terrace.protocols.decoder.Script.DecoderMaker;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.tcp.Conversation.Ending;

/**
 * Statements that were prepared before the capture began are told apart by what is seen of them.
 */
class PreparedBeforeTest {
  private static final String BEFORE = "(prepared before the capture)";
  private static final int CASES = 500;

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static List<String> classes(Script script, DecoderMaker maker) {
    return script.play(maker, Ending.CAPTURE_ENDED).stream().map(Row::requestClass).toList();
  }

  /** Requests answered before a cut have the classes that they have without one. */
  private static void assertCutsTellNothingElse(Script script, int from, DecoderMaker maker) {
    List<Row> whole = script.play(maker, Ending.CAPTURE_ENDED);
    for (int cut = from; cut <= script.bytes(); cut++) {
      List<Row> answered =
          script.upTo(cut).play(maker, Ending.CAPTURE_ENDED).stream()
              .filter(row -> row.outcome() == Outcome.OK)
              .toList();
      assertThat(answered)
          .as("cut at " + cut)
          .extracting(Row::requestClass)
          .isEqualTo(
              whole.subList(0, Math.min(whole.size(), answered.size())).stream()
                  .map(Row::requestClass)
                  .toList());
    }
  }

  private static void assertAnySegmentationTellsTheSame(
      RandomGenerator random, Script script, DecoderMaker maker) {
    List<String> whole = classes(script, maker);
    for (int i = 0; i < CASES; i++) {
      assertThat(script.play(maker, Ending.CAPTURE_ENDED, random, 0))
          .extracting(Row::requestClass)
          .isEqualTo(whole);
    }
  }

  @Nested
  class OfPostgres {
    private static byte[] message(char type, byte[]... body) {
      byte[] bytes = join(body);
      return ByteBuffer.allocate(5 + bytes.length)
          .put((byte) type)
          .putInt(4 + bytes.length)
          .put(bytes)
          .array();
    }

    private static byte[] text(String text) {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] shorts(int... numbers) {
      ByteBuffer bytes = ByteBuffer.allocate(2 * numbers.length);
      for (int number : numbers) {
        bytes.putShort((short) number);
      }
      return bytes.array();
    }

    private static final byte[] SYNC = message('S');
    private static final byte[] READY = message('Z', text("I"));
    private static final byte[] BOUND = message('2');

    /** Executes a statement with parameters of four bytes, and asks for columns in formats. */
    private static byte[] execute(String name, int[] parameterFormats, int... columnFormats) {
      return join(bind("", name, parameterFormats, columnFormats), run(""));
    }

    /** Executes it, and asks for its columns as well. */
    private static byte[] describe(String name, int[] parameterFormats) {
      return join(bind("", name, parameterFormats), message('D', text("P\0")), run(""));
    }

    private static byte[] run(String portal) {
      return message('E', text(portal + "\0\0\0\0\0"));
    }

    private static byte[] bind(
        String portal, String name, int[] parameterFormats, int... columnFormats) {
      byte[] values = {};
      for (int each = 0; each < parameterFormats.length; each++) {
        values = join(values, new byte[] {0, 0, 0, 4, 0, 0, 0, 7});
      }
      return message(
          'B',
          text(portal + "\0" + name + "\0"),
          shorts(parameterFormats.length),
          shorts(parameterFormats),
          shorts(parameterFormats.length),
          values,
          shorts(columnFormats.length),
          shorts(columnFormats));
    }

    private static byte[] row(int columns) {
      byte[] values = {};
      for (int each = 0; each < columns; each++) {
        values = join(values, new byte[] {0, 0, 0, 1, 'x'});
      }
      return message('D', shorts(columns), values);
    }

    private static byte[] done(String tag) {
      return message('C', text(tag + "\0"));
    }

    private static byte[] description(int table, String... names) {
      byte[] columns = {};
      for (String name : names) {
        byte[] rest = ByteBuffer.allocate(18).putInt(table).array();
        columns = join(columns, text(name + "\0"), rest);
      }
      return message('T', shorts(names.length), columns);
    }

    private static Script joined() {
      return new Script();
    }

    private static List<String> classesOf(Script script) {
      return classes(script, PostgresDecoder::joinedMidStream);
    }

    private static Script asked(Script script, byte[] execution, byte[]... answer) {
      return script.client(join(execution, SYNC)).server(join(BOUND, join(answer), READY));
    }

    private static final int[] ONE = {1};
    private static final int[] TWO = {1, 0};

    @Test
    void shapesTellStatementsApartAndNamesOfDriversDoNot() {
      Script script = joined();
      asked(script, execute("S_1", ONE, 1, 0, 0), row(3), done("SELECT 1"));
      asked(script, execute("S_2", ONE), row(2), row(2), done("SELECT 2"));
      asked(script, execute("S_3", TWO), row(2), done("SELECT 1"));
      asked(script, execute("S_4", TWO), done("UPDATE 3"));
      asked(script, execute("S_5", TWO), done("INSERT 0 1"));
      asked(script, execute("S_6", TWO), done("INSERT 0 1"));

      assertThat(classesOf(script))
          .containsExactly(
              BEFORE + " SELECT of 3 columns (btt), 1 parameter (binary)",
              BEFORE + " SELECT of 2 columns (text), 1 parameter (binary)",
              BEFORE + " SELECT of 2 columns (text), 2 parameters (bt)",
              BEFORE + " UPDATE, 2 parameters (bt)",
              BEFORE + " INSERT, 2 parameters (bt)",
              BEFORE + " INSERT, 2 parameters (bt)");
    }

    @Test
    void columnsAndTheirTableAreNamedWhereTheServerDescribesThem() {
      Script script = joined();
      byte[] described = description(16_384, "id", "title");
      asked(script, describe("a", ONE), described, row(2), done("SELECT 1"));
      asked(script, describe("b", ONE), description(0, "count"), row(1), done("SELECT 1"));
      asked(script, describe("c", ONE), description(16_390, "id", "title"), done("SELECT 0"));

      assertThat(classesOf(script))
          .containsExactly(
              BEFORE + " SELECT table 16384: id, title, 1 parameter (binary)",
              BEFORE + " SELECT count, 1 parameter (binary)",
              BEFORE + " SELECT table 16390: id, title, 1 parameter (binary)");
    }

    @Test
    void whatWasToldOnceOnAConnectionHoldsForTheStatementsLaterExecutions() {
      Script script = joined();
      asked(script, execute("a", ONE), row(2), done("SELECT 1"));
      asked(script, execute("a", ONE), done("SELECT 0"));
      asked(script, execute("b", ONE), done("SELECT 0"));
      asked(script, execute("a", ONE), message('E', text("SERROR\0\0")));

      assertThat(classesOf(script))
          .containsExactly(
              BEFORE + " SELECT of 2 columns (text), 1 parameter (binary)",
              BEFORE + " SELECT of 2 columns (text), 1 parameter (binary)",
              BEFORE + " SELECT, 1 parameter (binary)",
              BEFORE + " SELECT of 2 columns (text), 1 parameter (binary)");
    }

    @Test
    void statementsOfOneTurnAreNamedByTheirOwnAnswers() {
      byte[] begin = execute("S_1", new int[0]);
      byte[] commit = execute("S_9", new int[0]);
      Script script = joined();
      asked(
          script, join(begin, execute("S_2", ONE)), done("BEGIN"), BOUND, row(1), done("SELECT 1"));
      asked(
          script,
          join(execute("S_3", TWO), execute("S_3", TWO), execute("S_4", ONE)),
          done("INSERT 0 1"),
          BOUND,
          done("INSERT 0 1"),
          BOUND,
          done("DELETE 1"));
      asked(script, commit, done("COMMIT"));

      assertThat(classesOf(script))
          .containsExactly(
              BEFORE + " SELECT of 1 column (text), 1 parameter (binary)",
              BEFORE + " INSERT, 2 parameters (bt); " + BEFORE + " DELETE, 1 parameter (binary)",
              BEFORE + " COMMIT");
    }

    private static final String OF_2 = BEFORE + " SELECT of 2 columns (text), 1 parameter (binary)";
    private static final String OF_4 = BEFORE + " SELECT of 4 columns (text), 1 parameter (binary)";
    private static final byte[] TWO_COLUMNS = join(BOUND, row(2), done("SELECT 1"));
    private static final byte[] FOUR_COLUMNS = join(BOUND, row(4), done("SELECT 1"));

    /** The capture begins between two executions of one turn. */
    @Test
    void answersToWhatWasNotSeenTellNothingOfWhatWas() {
      Script script = joined();
      script.client(join(execute("b", ONE), SYNC)).server(join(TWO_COLUMNS, FOUR_COLUMNS, READY));
      script.client(join(execute("b", ONE), SYNC)).server(join(FOUR_COLUMNS, READY));
      script.client(join(execute("a", ONE), SYNC)).server(join(TWO_COLUMNS, READY));

      assertThat(classesOf(script)).containsExactly(BEFORE, OF_4, OF_2);
    }

    /** As many answers as executions are seen, but one of the latter fails before its time. */
    @Test
    void answersBeforeAnErrorTellNothingWhereMoreMayHaveBeenAsked() {
      byte[] error = message('E', text("SERROR\0\0"));
      Script script = joined();
      script.client(join(execute("b", ONE), SYNC)).server(join(TWO_COLUMNS, error, READY));
      script.client(join(execute("b", ONE), SYNC)).server(join(FOUR_COLUMNS, READY));

      assertThat(classesOf(script)).containsExactly(BEFORE, OF_4);
    }

    /** The turn before the first that is seen is answered behind it; an answer is left over. */
    @Test
    void answersToTurnsBeforeTheCaptureTellNothingForLong() {
      Script script = joined();
      script
          .client(join(execute("b", ONE), SYNC))
          .server(join(TWO_COLUMNS, READY))
          .server(join(FOUR_COLUMNS, READY));
      script.client(join(execute("b", ONE), SYNC)).server(join(FOUR_COLUMNS, READY));

      assertThat(classesOf(script)).last().isEqualTo(OF_4);
    }

    private static final byte[] ONE_COLUMN = join(BOUND, row(1), done("SELECT 1"));

    /** The first turn of two is answered by fewer than it asks for, and so is not believed. */
    @Test
    void answersThatWereNotBelievedAreTakenBackBehindThemToo() {
      Script script = joined();
      script
          .client(join(execute("a", ONE), execute("c", ONE), SYNC))
          .server(join(ONE_COLUMN, READY))
          .client(join(execute("b", ONE), SYNC))
          .server(join(TWO_COLUMNS, ONE_COLUMN, READY))
          .server(join(FOUR_COLUMNS, READY));
      asked(script, execute("b", ONE), row(4), done("SELECT 1"));
      asked(script, execute("b", ONE), row(4), done("SELECT 1"));

      assertThat(classesOf(script)).startsWith(BEFORE).endsWith(OF_4, OF_4);
    }

    /** Turns that wait behind one that was not believed have its answers. */
    @Test
    void answersToTurnsBeforeTheCaptureTellNothingForLongOfSeveral() {
      for (boolean inOneSegment : new boolean[] {true, false}) {
        byte[] a = join(execute("a", ONE), SYNC);
        byte[] b = join(execute("b", ONE), SYNC);
        Script script = inOneSegment ? joined().client(join(a, b)) : joined().client(a).client(b);
        script
            .server(join(ONE_COLUMN, READY))
            .server(join(TWO_COLUMNS, READY))
            .server(join(FOUR_COLUMNS, READY));
        asked(script, execute("b", ONE), row(4), done("SELECT 1"));
        asked(script, execute("b", ONE), row(4), done("SELECT 1"));
        asked(script, execute("a", ONE), row(2), done("SELECT 1"));

        assertThat(classesOf(script)).endsWith(OF_4, OF_4, OF_2);
      }
    }

    /** A turn that waits behind one not believed proves itself, and so keeps its name. */
    @Test
    void turnsBehindOneThatFailedAreNamedByTheirOwnAnswers() {
      byte[] error = message('E', text("SERROR\0\0"));
      Script script = joined();
      script
          .client(join(execute("a", ONE), SYNC, execute("b", ONE), SYNC))
          .server(join(error, READY))
          .server(join(FOUR_COLUMNS, READY));
      asked(script, execute("b", ONE), done("SELECT 0"));

      assertThat(classesOf(script)).containsExactly(BEFORE, OF_4, OF_4);
    }

    /** An answer has a gap, so that its end is estimated, and its rest comes to the next turn. */
    @Test
    void restsOfAnswersWhoseEndWasEstimatedTellNothingForLong() {
      Script script = joined();
      asked(script, execute("z", ONE), done("DELETE 1"));
      for (int gap = 0; gap < 3; gap++) {
        String name = "a" + gap;
        script
            .client(join(execute("x", ONE), SYNC))
            .serverWithoutEnd(BOUND, 40)
            .client(join(execute(name, ONE), SYNC))
            .server(join(done("DELETE 7"), READY))
            .server(join(TWO_COLUMNS, READY));
        asked(script, execute(name, ONE), row(2), done("SELECT 1"));
        asked(script, execute(name, ONE), row(2), done("SELECT 1"));

        assertThat(classesOf(script)).as("%d gaps before", gap).endsWith(OF_2, OF_2);
      }
    }

    /** A driver asks for columns once; the answer to what was lost proves nothing. */
    @Test
    void lostPacketOfTheClientTakesNothingBack() {
      Script script = joined();
      byte[] described = description(7, "id", "title");
      asked(script, describe("a", ONE), described, row(2), done("SELECT 1"));
      asked(script, execute("a", ONE), row(2), done("SELECT 1"));
      for (int loss = 0; loss < 3; loss++) {
        byte[] lost = join(execute("a", ONE), SYNC);
        script.clientWithoutEnd(new byte[0], lost.length).server(join(TWO_COLUMNS, READY));
        asked(script, execute("a", ONE), row(2), done("SELECT 1"));
        asked(script, execute("a", ONE), row(2), done("SELECT 1"));
      }

      assertThat(classesOf(script))
          .hasSize(8)
          .containsOnly(BEFORE + " SELECT table 7: id, title, 1 parameter (binary)");
    }

    /** A driver that asks on, so that what was lost is answered behind what came after it. */
    @Test
    void lostPacketInAPipelineTakesBackWhatWasToldBehindItAlone() {
      String named = BEFORE + " SELECT table 7: id, title, 1 parameter (binary)";
      byte[] described = description(7, "id", "title");
      byte[] lost = join(execute("a", ONE), SYNC);
      Script script = joined();
      asked(script, describe("a", ONE), described, row(2), done("SELECT 1"));
      for (int loss = 0; loss < 3; loss++) {
        script
            .clientWithoutEnd(new byte[0], lost.length)
            .client(join(execute("b" + loss, ONE), SYNC))
            .server(join(TWO_COLUMNS, READY))
            .server(join(FOUR_COLUMNS, READY));
        asked(script, execute("a", ONE), row(2), done("SELECT 1"));
        asked(script, execute("b" + loss, ONE), row(4), done("SELECT 1"));
      }

      assertThat(classesOf(script))
          .containsExactly(named, OF_2, named, OF_4, OF_2, named, OF_4, OF_2, named, OF_4);
    }

    /** The rest of an answer says nothing of what was asked long before it. */
    @Test
    void restOfAnAnswerTakesBackWhatWasToldBehindItAlone() {
      String named = BEFORE + " SELECT table 7: id, title, 1 parameter (binary)";
      Script script = joined();
      asked(script, describe("a", ONE), description(7, "id", "title"), row(2), done("SELECT 1"));
      script
          .client(join(execute("x", ONE), SYNC))
          .serverWithoutEnd(BOUND, 40)
          .client(join(execute("b", ONE), SYNC))
          .server(join(done("DELETE 7"), READY))
          .server(join(FOUR_COLUMNS, READY));
      asked(script, execute("a", ONE), row(2), done("SELECT 1"));
      asked(script, execute("b", ONE), row(4), done("SELECT 1"));

      assertThat(classesOf(script)).startsWith(named).endsWith(named, OF_4);
    }

    @Test
    void descriptionsOfSeveralPortalsAreThoseOfTheirStatements() {
      byte[] asks =
          join(
              bind("p", "a", ONE),
              message('D', text("Pp\0")),
              bind("q", "b", ONE),
              message('D', text("Pq\0")));
      byte[] described =
          join(BOUND, description(7, "id", "title"), BOUND, description(8, "id", "name"));
      Script script = joined();
      asked(
          script,
          join(asks, run("p"), run("q")),
          described,
          row(2),
          done("SELECT 1"),
          row(2),
          done("SELECT 1"));
      asked(script, execute("b", ONE), row(2), done("SELECT 1"));

      assertThat(classesOf(script))
          .containsExactly(
              BEFORE
                  + " SELECT table 7: id, title, 1 parameter (binary); "
                  + BEFORE
                  + " SELECT table 8: id, name, 1 parameter (binary)",
              BEFORE + " SELECT table 8: id, name, 1 parameter (binary)");
    }

    /** A driver that looks at the columns before it executes asks for them by a Flush. */
    @Test
    void answersThatAFlushAsksForAreAssignedBeforeTheirSync() {
      byte[] flush = message('H');
      Script script = joined();
      asked(script, execute("z", ONE), done("DELETE 1"));
      script
          .client(join(bind("", "a", ONE), message('D', text("P\0")), flush))
          .server(join(BOUND, description(7, "id", "title")))
          .client(join(run(""), flush))
          .server(join(row(2), done("SELECT 1")))
          .client(join(message('D', text("Sb\0")), flush))
          .server(join(message('t', shorts(0)), description(9, "other")))
          .client(join(bind("", "c", ONE), message('D', text("P\0")), flush))
          .server(join(BOUND, description(8, "id", "name")))
          .client(join(run(""), SYNC))
          .server(join(row(2), done("SELECT 1"), READY));

      assertThat(classesOf(script))
          .last()
          .isEqualTo(
              BEFORE
                  + " SELECT table 7: id, title, 1 parameter (binary); "
                  + BEFORE
                  + " SELECT table 8: id, name, 1 parameter (binary)");
    }

    @Test
    void statementThatIsPreparedAnewIsKnownByItsText() {
      byte[] parse = message('P', text("a\0SELECT x FROM y\0\0\0"));
      Script script = joined();
      asked(script, execute("a", ONE), row(2), done("SELECT 1"));
      asked(script, join(message('C', text("Sa\0")), parse, execute("a", ONE)), done("SELECT 0"));

      assertThat(classesOf(script))
          .containsExactly(
              BEFORE + " SELECT of 2 columns (text), 1 parameter (binary)", "SELECT x FROM y");
    }

    @Test
    void pipelinedTurnsAreNamedByTheirOwnAnswers() {
      byte[] first = join(execute("a", ONE), SYNC);
      byte[] second = join(execute("b", ONE), SYNC);
      Script script = joined();
      asked(script, execute("c", ONE), done("DELETE 1"));
      script
          .client(join(first, second))
          .server(join(BOUND, row(2), done("SELECT 1"), READY))
          .server(join(BOUND, row(4), done("SELECT 1"), READY));

      assertThat(script.play(PostgresDecoder::joinedMidStream, Ending.CAPTURE_ENDED))
          .extracting(Row::requestClass, Row::outcome)
          .containsExactly(
              tuple(BEFORE + " DELETE, 1 parameter (binary)", Outcome.OK),
              tuple(BEFORE + " SELECT of 2 columns (text), 1 parameter (binary)", Outcome.OK),
              tuple(BEFORE + " SELECT of 4 columns (text), 1 parameter (binary)", Outcome.OK));
    }

    @Test
    void endlessColumnsAndWrongCountsGiveBoundedNames() {
      String[] names = Collections.nCopies(300, "n".repeat(200)).toArray(String[]::new);
      String[] others = names.clone();
      others[299] = "m";
      byte[] counts = message('T', shorts(0xffff), text("x\0"));
      Script script = joined();
      asked(script, describe("a", ONE), description(7, names), done("SELECT 0"));
      asked(script, describe("b", ONE), description(7, others), done("SELECT 0"));
      asked(script, describe("c", ONE), counts, done("SELECT 0"));
      asked(script, execute("d", ONE), message('D', shorts(0xffff)), done("SELECT 1"));
      asked(script, execute("e", ONE), message('D'), done("x".repeat(5_000)));
      asked(
          script,
          join(message('B', text("\0f\0"), shorts(1, 1, 0x7fff)), message('E', text("\0\0\0\0\0"))),
          done("DELETE 1"));

      List<String> classes = classesOf(script);
      assertThat(classes).hasSize(6).allMatch(name -> name.length() < 600);
      assertThat(classes.get(0)).contains("more #");
      assertThat(classes.subList(2, 6))
          .containsExactly(
              BEFORE + " SELECT, 1 parameter (binary)",
              BEFORE + " SELECT, 1 parameter (binary)",
              BEFORE + " SELECT, 1 parameter (binary)",
              BEFORE + " DELETE");
    }

    @Test
    void statementsWithoutEndTakeBoundedMemory() {
      Script script = joined();
      for (int i = 0; i < 5_000; i++) {
        asked(script, execute("s" + i, ONE), done("DELETE 1"));
      }

      assertThat(script.memoryTaken(PostgresDecoder::joinedMidStream)).isLessThan(300_000);
      assertThat(classesOf(script)).containsOnly(BEFORE + " DELETE, 1 parameter (binary)", BEFORE);
    }

    private static Script drawn(RandomGenerator random) {
      Script script = joined();
      for (int turn = 0; turn < 12; turn++) {
        int statement = random.nextInt(6);
        int columns = statement + 1;
        byte[] rows = {};
        for (int each = 0; each < random.nextInt(4); each++) {
          rows = join(rows, row(columns));
        }
        boolean describes = statement % 2 == 0;
        byte[] told =
            describes
                ? description(
                    statement, Collections.nCopies(columns, "name").toArray(String[]::new))
                : new byte[0];
        String name = "s" + statement;
        byte[] execution = describes ? describe(name, TWO) : execute(name, TWO);
        asked(script, execution, told, rows, done("SELECT 1"));
      }
      return script;
    }

    @Test
    void cutsAndSegmentsTellNothingElse() {
      RandomGenerator random = Seeds.generator(Seeds.next("prepared-before-postgres"));
      Script script = drawn(random);

      // In pieces the beginning of a connection that was joined midway is found later.
      Script started = asked(joined(), execute("z", ONE), done("DELETE 1"));
      int from = started.bytes();
      assertCutsTellNothingElse(started.then(script), from, PostgresDecoder::joinedMidStream);
      Script opened =
          joined()
              .client(join(new byte[] {0, 0, 0, 13, 0, 3, 0, 0}, text("user\0")))
              .server(join(message('R', new byte[4]), READY))
              .then(script);
      assertAnySegmentationTellsTheSame(random, opened, PostgresDecoder::new);
    }

    @Test
    void damageNeverFails() {
      RandomGenerator random = Seeds.generator(Seeds.next("prepared-before-postgres-damage"));
      for (int i = 0; i < CASES; i++) {
        assertThat(
                drawn(random)
                    .play(
                        PostgresDecoder::joinedMidStream,
                        Ending.RESET,
                        random,
                        random.nextDouble(0.3)))
            .allMatch(row -> row.departure() >= row.arrival());
      }
    }
  }

  @Nested
  class OfMySql {
    private static byte[] packet(int sequence, byte[]... parts) {
      byte[] body = join(parts);
      byte[] packet = new byte[4 + body.length];
      packet[0] = (byte) body.length;
      packet[1] = (byte) (body.length >> 8);
      packet[3] = (byte) sequence;
      System.arraycopy(body, 0, packet, 4, body.length);
      return packet;
    }

    private static byte[] bytes(int... numbers) {
      byte[] bytes = new byte[numbers.length];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) numbers[i];
      }
      return bytes;
    }

    private static byte[] texts(String... texts) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (String text : texts) {
        byte[] each = text.getBytes(StandardCharsets.UTF_8);
        bytes.write(each.length);
        bytes.writeBytes(each);
      }
      return bytes.toByteArray();
    }

    /** Executes a statement with whole numbers of which the types are told. */
    private static byte[] execute(int id, int parameters) {
      byte[] head = bytes(0x17, id, 0, 0, 0, 0, 1, 0, 0, 0);
      if (parameters == 0) {
        return packet(0, head);
      }
      ByteArrayOutputStream rest = new ByteArrayOutputStream();
      rest.writeBytes(new byte[(parameters + 7) / 8]);
      rest.write(1);
      for (int i = 0; i < parameters; i++) {
        rest.writeBytes(bytes(3, 0));
      }
      for (int i = 0; i < parameters; i++) {
        rest.writeBytes(bytes(42, 0, 0, 0));
      }
      return packet(0, head, rest.toByteArray());
    }

    /** Executes a statement with whole numbers of which the types were told before. */
    private static byte[] executeAgain(int id, int parameters) {
      byte[] whole = execute(id, parameters);
      int head = 14 + (parameters + 7) / 8;
      byte[] rest = Arrays.copyOfRange(whole, head + 1 + 2 * parameters, whole.length);
      return packet(0, Arrays.copyOfRange(whole, 4, head), new byte[1], rest);
    }

    private static byte[] column(int sequence, String table, String alias, String name) {
      return packet(
          sequence, texts("def", "shop", table, table, alias, name), bytes(12), new byte[12]);
    }

    /** Rows of columns, each named by its table, its alias and its name. */
    private static byte[] result(String[]... columns) {
      ByteArrayOutputStream result = new ByteArrayOutputStream();
      int sequence = 1;
      result.writeBytes(packet(sequence++, bytes(columns.length)));
      for (String[] each : columns) {
        result.writeBytes(column(sequence++, each[0], each[1], each[2]));
      }
      result.writeBytes(packet(sequence++, bytes(0xfe, 0, 0, 2, 0)));
      result.writeBytes(packet(sequence++, bytes(0, 0, 1, 'x', 1, 'y', 1, 'z', 1, 'z')));
      result.writeBytes(packet(sequence, bytes(0xfe, 0, 0, 2, 0)));
      return result.toByteArray();
    }

    private static byte[] ok(int rows, int identity, String info) {
      return packet(
          1, bytes(0, rows, identity, 2, 0, 0, 0), info.getBytes(StandardCharsets.US_ASCII));
    }

    private static String[] of(String table, String alias, String name) {
      return new String[] {table, alias, name};
    }

    private static List<String> classesOf(Script script) {
      return classes(script, MySqlDecoder::joinedMidStream);
    }

    private static final byte[] STORY =
        result(of("story", "id", "id"), of("story", "headline", "title"), of("user", "n", "name"));

    @Test
    void resultsAreNamedByTheirTablesAndColumns() {
      assertThat(
              classesOf(
                  new Script()
                      .client(execute(3, 1))
                      .server(STORY)
                      .client(execute(9, 0))
                      .server(result(of("", "COUNT(*)", "")))
                      .client(execute(3, 1))
                      .server(packet(1, bytes(0xff, 1, 2, '#')))))
          .containsExactly(
              BEFORE + " story: id, title; user: name",
              BEFORE + " COUNT(*)",
              BEFORE + " story: id, title; user: name");
    }

    /** An expression is called by its text, and what stands in that is data. */
    @Test
    void literalsOfExpressionsAreInNoName() {
      assertThat(
              classesOf(
                  new Script()
                      .client(execute(3, 1))
                      .server(result(of("", "AES_DECRYPT(card,'k3y')", "")))))
          .singleElement()
          .asString()
          .startsWith(BEFORE + " AES_DECRYPT(card,")
          .doesNotContain("k3y");
    }

    @Test
    void writesAreNamedByTheirParametersAndWhatTheirAnswersTell() {
      assertThat(
              classesOf(
                  new Script()
                      .client(execute(1, 2))
                      .server(ok(1, 0, "(Rows matched: 1  Changed: 1  Warnings: 0"))
                      .client(execute(2, 9))
                      .server(ok(1, 77, ""))
                      .client(execute(3, 1))
                      .server(ok(1, 0, ""))
                      .client(execute(4, 0))
                      .server(ok(0, 0, ""))
                      .client(execute(5, 2))
                      .server(ok(0, 0, "(Rows matched: 0  Changed: 0  Warnings: 0"))))
          .containsExactly(
              BEFORE + " UPDATE, 2 parameters (int)",
              BEFORE + " INSERT, 9 parameters (int)",
              BEFORE + " without result, 1 parameter (int)",
              BEFORE + " without result, no parameters",
              BEFORE + " UPDATE, 2 parameters (int)");
    }

    private static final byte[] UPDATED = ok(1, 0, "(Rows matched: 1  Changed: 1  Warnings: 0");
    private static final byte[] MISSED = ok(0, 0, "");

    /** A driver tells types once, and once more when they change. */
    @Test
    void writesAreOneClassWhetherOrNotAnExecutionTellsTypes() {
      for (int parameters : new int[] {1, 2, 7, 8, 9, 16, 17, 40, 64}) {
        Script script = new Script();
        for (byte[] execution :
            List.of(
                executeAgain(1, parameters),
                execute(2, parameters),
                executeAgain(2, parameters),
                execute(1, parameters))) {
          script.client(execution).server(UPDATED);
        }
        // Nothing was written, so that the next one may tell more.
        script.client(executeAgain(3, parameters)).server(MISSED);
        script.client(execute(3, parameters)).server(MISSED);
        script.client(execute(4, 0)).server(ok(1, 9, ""));

        assertThat(classesOf(script))
            .as("%d parameters", parameters)
            .containsExactly(
                BEFORE + " UPDATE",
                BEFORE + " UPDATE",
                BEFORE + " UPDATE",
                BEFORE + " UPDATE",
                BEFORE + " without result",
                BEFORE + " without result",
                BEFORE + " INSERT, no parameters");
      }
    }

    /** One connection's types were told before the capture, and another's are told once more. */
    @Test
    void writesOfAllConnectionsAreOneClass() throws IOException {
      byte[] columns = result(of("story", "id", "id"));
      Script told = new Script();
      told.client(execute(6, 1)).server(columns).client(execute(7, 3)).server(UPDATED);
      told.client(executeAgain(7, 3)).server(UPDATED);
      Script untold = new Script();
      untold.client(executeAgain(8, 1)).server(columns).client(executeAgain(9, 3)).server(UPDATED);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
        untold.writeJoined(capture.connection("10.0.0.1", 40_000, "10.0.0.2", 3306), 1_000, 9, 999);
        told.writeJoined(capture.connection("10.0.0.1", 40_001, "10.0.0.2", 3306), 2_000, 9, 999);
      }

      assertThat(Captures.read(bytes.toByteArray()).requests())
          .extracting(Request::requestClass)
          .containsExactly(
              BEFORE + " story: id",
              BEFORE + " UPDATE",
              BEFORE + " story: id",
              BEFORE + " UPDATE",
              BEFORE + " UPDATE");
    }

    /** Executes a statement with two whole numbers, the second of which is absent. */
    private static byte[] executeInPart(int id) {
      return packet(
          0, bytes(0x17, id, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1, 3, 0, 6, 0), bytes(42, 0, 0, 0));
    }

    /** A driver tells types each time, but the type of an absent value varies. */
    @Test
    void writesAreOneClassWhicheverExecutionWasSeenFirst() {
      for (boolean absentFirst : new boolean[] {true, false}) {
        Script script = new Script();
        // A query needs no parameters for its name, and so tells nothing of others.
        script.client(executeInPart(9)).server(STORY);
        script.client(execute(8, 2)).server(UPDATED);
        for (int id = 1; id <= 2; id++) {
          boolean absent = absentFirst == (id == 1);
          script.client(absent ? executeInPart(id) : execute(id, 2)).server(UPDATED);
          script.client(absent ? execute(id, 2) : executeInPart(id)).server(UPDATED);
        }
        script.client(execute(3, 2)).server(UPDATED);

        List<String> classes = classesOf(script);
        assertThat(classes.get(1)).isEqualTo(BEFORE + " UPDATE, 2 parameters (int)");
        assertThat(classes.subList(absentFirst ? 2 : 4, 7))
            .containsOnly(BEFORE + " UPDATE, 2 parameters");
      }
    }

    /** One absent value is no reason to take types from all writes of a capture. */
    @Test
    void absentValueTakesTypesFromWritesOfItsShapeAlone() {
      byte[] error = packet(1, bytes(0xff, 1, 2, '#'));
      Script script = new Script();
      script.client(execute(1, 3)).server(UPDATED);
      script.client(execute(2, 2)).server(UPDATED);
      script.client(executeInPart(3)).server(error);
      script.client(execute(4, 2)).server(UPDATED);
      script.client(executeInPart(5)).server(UPDATED);
      for (int round = 0; round < 2; round++) {
        script.client(execute(1, 3)).server(UPDATED);
        script.client(execute(2, 2)).server(UPDATED);
        script.client(execute(6, 2)).server(ok(1, 9, ""));
      }
      script.client(executeAgain(7, 1)).server(UPDATED);
      script.client(execute(1, 3)).server(UPDATED);

      String three = BEFORE + " UPDATE, 3 parameters (int)";
      String two = BEFORE + " UPDATE, 2 parameters";
      String added = BEFORE + " INSERT, 2 parameters (int)";
      assertThat(classesOf(script))
          .containsExactly(
              three,
              two + " (int)",
              BEFORE,
              two + " (int)",
              two,
              three,
              two,
              added,
              three,
              two,
              added,
              BEFORE + " UPDATE",
              BEFORE + " UPDATE");
    }

    /** A value that was sent beforehand is left out of an execution that tells types. */
    @Test
    void executionsThatTellTypesAreNotTakenForOthers() {
      Script script = new Script();
      byte[] sentBefore =
          packet(0, bytes(0x17, 5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0xfb, 0, 3, 0, 42, 0, 0, 0));
      script.client(sentBefore).server(UPDATED);
      for (int parameters = 1; parameters <= 64; parameters++) {
        script.client(execute(10 + parameters, parameters)).server(UPDATED);
      }

      assertThat(classesOf(script)).hasSize(65).last().asString().endsWith("64 parameters (int)");
      assertThat(classesOf(script).getFirst()).isEqualTo(BEFORE + " UPDATE");
      assertThat(classesOf(script).subList(1, 65)).doesNotHaveDuplicates();
    }

    @Test
    void columnsThatAreLeftOutAreCounted() {
      byte[] answer =
          join(
              packet(1, bytes(3, 0)),
              packet(2, bytes(0xfe, 0, 0, 2, 0)),
              packet(3, bytes(0, 0, 1, 'x', 1, 'y', 1, 'z', 0, 0)),
              packet(4, bytes(0xfe, 0, 0, 2, 0)));

      assertThat(classesOf(new Script().client(execute(3, 2)).server(answer)))
          .containsExactly(BEFORE + " of 3 columns, 2 parameters (int)");
    }

    @Test
    void statementThatIsPreparedAnewIsKnownByItsText() {
      byte[] prepare =
          packet(0, bytes(0x16), "SELECT x FROM y".getBytes(StandardCharsets.US_ASCII));
      byte[] prepared = packet(1, bytes(0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));

      assertThat(
              classesOf(
                  new Script()
                      .client(execute(3, 0))
                      .server(STORY)
                      .client(packet(0, bytes(0x19, 3, 0, 0, 0)))
                      .client(prepare)
                      .server(prepared)
                      .client(execute(3, 0))
                      .server(STORY)))
          .containsExactly(
              BEFORE + " story: id, title; user: name",
              "PREPARE SELECT x FROM y",
              "SELECT x FROM y");
    }

    @Test
    void endlessColumnsAndWrongLengthsGiveBoundedNames() {
      List<String[]> many = new ArrayList<>(Collections.nCopies(200, of("t", "a", "n".repeat(90))));
      byte[] broken = packet(2, bytes(3, 'd', 'e', 'f', 0, 0, 250, 'x'));
      byte[] answer =
          join(
              packet(1, bytes(1)),
              broken,
              packet(3, bytes(0xfe, 0, 0, 2, 0)),
              packet(4, bytes(0xfe, 0, 0, 2, 0)));

      List<String> classes =
          classesOf(
              new Script()
                  .client(execute(3, 0))
                  .server(result(many.toArray(String[][]::new)))
                  .client(execute(4, 0))
                  .server(answer));
      assertThat(classes).hasSize(2).allMatch(name -> name.length() < 600);
      assertThat(classes.getFirst()).contains("more #");
      assertThat(classes.getLast()).isEqualTo(BEFORE + " ?");
    }

    private static Script drawn(RandomGenerator random) {
      Script script = new Script();
      for (int turn = 0; turn < 12; turn++) {
        int statement = random.nextInt(6);
        script.client(execute(statement, statement));
        script.server(
            statement % 2 == 0
                ? result(of("t" + statement, "a", "b"), of("t", "a", "c"))
                : ok(1, statement, ""));
      }
      return script;
    }

    @Test
    void cutsAndSegmentsTellNothingElse() {
      RandomGenerator random = Seeds.generator(Seeds.next("prepared-before-mysql"));
      byte[] greeting =
          packet(0, bytes(10), ("11.4\0" + "x".repeat(60)).getBytes(StandardCharsets.US_ASCII));
      Script script =
          new Script()
              .server(greeting)
              .client(packet(1, new byte[40]))
              .server(packet(2, bytes(0, 0, 0, 2, 0, 0, 0)))
              .then(drawn(random));

      assertCutsTellNothingElse(script, 0, MySqlDecoder::new);
      assertAnySegmentationTellsTheSame(random, script, MySqlDecoder::new);
    }

    @Test
    void damageNeverFails() {
      RandomGenerator random = Seeds.generator(Seeds.next("prepared-before-mysql-damage"));
      for (int i = 0; i < CASES; i++) {
        assertThat(
                drawn(random)
                    .play(
                        MySqlDecoder::joinedMidStream,
                        Ending.RESET,
                        random,
                        random.nextDouble(0.3)))
            .allMatch(row -> row.departure() >= row.arrival());
      }
    }
  }
}
