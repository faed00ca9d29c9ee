package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.observation.ValueSketch.NONE;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.observation.ValueSketch;
import org.terrace.protocols.text.MemoryBudget;
import org.terrace.testing.Seeds;

/** The values of prepared statements' executions, as MySQL's binary protocol writes them. */
class MySqlParametersTest {
  private static final int ID = 9;
  private static final int INT = 0x03;
  private static final int BIGINT = 0x08;
  private static final int TEXT = 0xfd;
  private static final int DATE_TIME = 0x0c;

  private final MemoryBudget memory = new MemoryBudget();
  private final MySqlParameters parameters = new MySqlParameters(memory);

  /** A parameter; without a value it is null. */
  private record Parameter(int type, byte[] value) {}

  private static Parameter number(int type, int bytes, long value) {
    byte[] written = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      written[i] = (byte) (value >>> (Byte.SIZE * i));
    }
    return new Parameter(type, written);
  }

  private static Parameter text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] written = new byte[bytes.length + 1];
    written[0] = (byte) bytes.length;
    System.arraycopy(bytes, 0, written, 1, bytes.length);
    return new Parameter(TEXT, written);
  }

  private static Parameter none(int type) {
    return new Parameter(type, new byte[0]);
  }

  /** The part of an execution behind the number of its statement. */
  private static byte[] execution(boolean told, boolean attributes, Parameter... all) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) (attributes ? 8 : 0), 1, 0, 0, 0});
    if (attributes) {
      out.write(all.length);
    }
    byte[] nulls = new byte[(all.length + 7) / 8];
    for (int i = 0; i < all.length; i++) {
      nulls[i / 8] |= (byte) (all[i].value.length == 0 ? 1 << (i % 8) : 0);
    }
    out.writeBytes(nulls);
    out.write(told ? 1 : 0);
    for (Parameter each : told ? all : new Parameter[0]) {
      out.write(each.type);
      out.write(0);
      if (attributes) {
        out.writeBytes(new byte[] {2, 'a', 'b'});
      }
    }
    for (Parameter each : all) {
      out.writeBytes(each.value);
    }
    return out.toByteArray();
  }

  private static byte[] rows(List<Parameter> types, Parameter... all) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) (types.isEmpty() ? 0 : 128), 0});
    for (Parameter each : types) {
      out.write(each.type);
      out.write(0);
    }
    for (Parameter each : all) {
      out.write(each.value.length == 0 ? 1 : 0);
      out.writeBytes(each.value);
    }
    return out.toByteArray();
  }

  private long values(byte[] execution) {
    return parameters.ofExecution(NONE, ID, execution, 0, execution.length, false);
  }

  private static long sketch(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ValueSketch.add(NONE, bytes, 0, bytes.length);
  }

  @Test
  void valuesAreNumbersAndTextsWhateverStandsBetween() {
    parameters.prepared(ID, 5);
    byte[] execution =
        execution(
            true,
            false,
            number(INT, 4, 1234),
            new Parameter(DATE_TIME, new byte[] {4, 1, 2, 3, 4}),
            none(TEXT),
            text("Walnut"),
            number(BIGINT, 8, 987_654_321L));

    assertThat(values(execution)).isEqualTo(sketch("1234 walnut 987654321"));
  }

  @Test
  void typesThatAreLeftOutAreThoseToldBefore() {
    parameters.prepared(ID, 2);
    byte[] later = execution(false, false, number(INT, 4, 77), text("tree"));
    assertThat(values(later)).as("types that nobody told").isEqualTo(NONE);

    assertThat(values(execution(true, false, number(INT, 4, 1234), text("walnut"))))
        .isEqualTo(sketch("1234 walnut"));
    assertThat(values(later)).isEqualTo(sketch("77 tree"));

    parameters.prepared(ID, 2);
    assertThat(values(later)).as("another statement of that number").isEqualTo(NONE);
  }

  @Test
  void attributesHaveNamesBehindTheirTypes() {
    parameters.prepared(ID, 1);
    byte[] execution = execution(true, true, number(INT, 4, 1234));

    assertThat(parameters.ofExecution(NONE, ID, execution, 0, execution.length, true))
        .isEqualTo(sketch("1234"));
  }

  @Test
  void anExecutionWhoseParameterWasSentBeforeCarriesNoneAndTheNextDoes() {
    parameters.prepared(ID, 1);
    byte[] execution = execution(true, false, number(INT, 4, 1234));
    parameters.sentBefore(ID);

    assertThat(values(execution)).isEqualTo(NONE);
    assertThat(values(execution)).isEqualTo(sketch("1234"));
  }

  @Test
  void rowsThatAreSentTogetherCarryAllTheirValues() {
    parameters.prepared(ID, 2);
    byte[] bulk =
        rows(
            List.of(none(INT), none(TEXT)),
            number(INT, 4, 300),
            text("walnut"),
            number(INT, 4, 301),
            none(TEXT));

    assertThat(parameters.ofBulk(NONE, ID, bulk, 0, bulk.length))
        .isEqualTo(sketch("300 walnut 301"));
    byte[] more = rows(List.of(), number(INT, 4, 302), text("tree"));
    assertThat(parameters.ofBulk(NONE, ID, more, 0, more.length)).isEqualTo(sketch("302 tree"));
  }

  @Test
  void aStatementThatIsNotKnownCarriesNone() {
    byte[] execution = execution(true, false, number(INT, 4, 1234));

    assertThat(values(execution)).isEqualTo(NONE);
    parameters.prepared(ID + 128, 1);
    assertThat(values(execution)).isEqualTo(NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "SELECT a FROM t WHERE b = ? AND c = ?|2",
        "SELECT 'what?', \"?\", `?` FROM t WHERE b = ?|1",
        "SELECT 'it''s ?', 'a\\'?' FROM t|0",
        "SELECT 'open ?|0",
      })
  void parametersOfAStatementAreItsQuestionMarks(String sql, int count) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);

    assertThat(MySqlParameters.placeholders(bytes, 0, bytes.length)).isEqualTo(count);
  }

  @Test
  void aCutExecutionGivesItsWholeValuesAndNeverFails() {
    byte[] whole = execution(true, false, number(INT, 4, 1234), text("walnut"));
    for (int length = 0; length < whole.length; length++) {
      parameters.prepared(ID, 2);

      assertThat(parameters.ofExecution(NONE, ID, whole, 0, length, false))
          .isIn(NONE, sketch("1234"));
    }
  }

  @Test
  void fewerParametersThanWerePreparedAreNotLookedForBehindTheEnd() {
    parameters.prepared(ID, 64);
    Parameter[] nulls = new Parameter[64];
    Arrays.fill(nulls, none(0x06));
    byte[] types = execution(true, false, nulls);
    parameters.ofExecution(NONE, ID, types, 0, types.length, false);
    byte[] one = {8, 1, 0, 0, 0, 1, 0, 0, 0};

    assertThat(parameters.ofExecution(NONE, ID, one, 0, one.length, true)).isEqualTo(NONE);
  }

  @Test
  void anyBytesAreRead() {
    RandomGenerator random = Seeds.generator(Seeds.next("MySqlParametersTest"));
    for (int i = 0; i < 20_000; i++) {
      parameters.prepared(ID, random.nextInt(80));
      byte[] bytes = new byte[random.nextInt(120)];
      random.nextBytes(bytes);
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      parameters.ofExecution(NONE, ID, bytes, from, to, random.nextBoolean());
      parameters.ofExecution(NONE, ID, bytes, from, to, random.nextBoolean());
      parameters.ofBulk(NONE, ID, bytes, from, to);
      MySqlParameters.placeholders(bytes, from, to);
    }
  }

  @Test
  void memoryIsGivenBack() {
    for (int id = 0; id < 1_000; id++) {
      parameters.prepared(id, 3);
    }
    assertThat(memory.taken()).isPositive().isLessThan(20_000);

    parameters.release();

    assertThat(memory.taken()).isZero();
  }
}
