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
  private static final int DOUBLE = 0x05;
  private static final int UNSIGNED = 0x8000;
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
      out.write(each.type >> Byte.SIZE);
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
    return values(execution, false);
  }

  private long values(byte[] execution, boolean attributes) {
    return parameters.ofExecution(NONE, ID, execution, 0, execution.length, true, attributes);
  }

  private long cutValues(byte[] execution, int length) {
    return parameters.ofExecution(NONE, ID, execution, 0, length, false, false);
  }

  private long bulkValues(byte[] bulk) {
    return parameters.ofBulk(NONE, ID, bulk, 0, bulk.length, true);
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

    assertThat(values(execution, true)).isEqualTo(sketch("1234"));
  }

  /** Drivers write the number and the names for servers before 8.0.26 without the flag. */
  @Test
  void attributesThatWereAgreedOnNeedNoFlagAndTheFlagNoAgreement() {
    byte[] execution = execution(true, true, number(INT, 4, 1234), text("walnut"));
    byte[] unflagged = execution.clone();
    unflagged[0] = 0;

    parameters.prepared(ID, 2);
    assertThat(values(unflagged, true)).isEqualTo(sketch("1234 walnut"));
    parameters.prepared(ID, 2);
    assertThat(values(execution, false))
        .as("login before the capture")
        .isEqualTo(sketch("1234 walnut"));
  }

  @Test
  void attributesAreNoParameters() {
    parameters.prepared(ID, 1);

    assertThat(values(execution(true, true, number(INT, 4, 1234), text("walnut")), true))
        .isEqualTo(sketch("1234"));
  }

  @Test
  void numbersAreThoseOfTheirSign() {
    parameters.prepared(ID, 4);

    assertThat(
            values(
                execution(
                    true,
                    false,
                    number(UNSIGNED | 0x01, 1, 200),
                    number(UNSIGNED | 0x02, 2, 40_000),
                    number(UNSIGNED | INT, 4, 3_000_000_000L),
                    number(0x01, 1, -56))))
        .isEqualTo(sketch("200 40000 3000000000"));
  }

  @Test
  void wholeNumbersAreNumbersAlsoAsDoubles() {
    parameters.prepared(ID, 3);

    assertThat(
            values(
                execution(
                    true,
                    false,
                    number(DOUBLE, 8, Double.doubleToLongBits(1234)),
                    number(DOUBLE, 8, Double.doubleToLongBits(98.5)),
                    number(DOUBLE, 8, Double.doubleToLongBits(1e300)))))
        .isEqualTo(sketch("1234"));
  }

  @Test
  void binaryObjectsCarryNone() {
    parameters.prepared(ID, 2);

    assertThat(values(execution(true, false, text("walnut\0\7oaks"), number(INT, 4, 1234))))
        .isEqualTo(sketch("1234"));
  }

  /** Types in bytes that were not captured are not known, and are not those told before. */
  @Test
  void typesThatWereToldBehindACutAreForgotten() {
    byte[] texts = execution(true, false, text("1234"), text("walnut"));
    byte[] later = execution(false, false, text("5678"), text("tree"));
    for (int length = 0; length < 11; length++) {
      parameters.prepared(ID, 2);
      values(execution(true, false, number(INT, 4, 1234), number(INT, 4, 99)));
      cutValues(texts, length);

      assertThat(cutValues(later, later.length)).as("%d bytes", length).isEqualTo(NONE);
    }
  }

  @Test
  void anExecutionThatDoesNotEndWithItsLastValueIsOfOtherTypes() {
    byte[] numbers = execution(true, false, number(BIGINT, 8, 1234), number(INT, 4, 99));
    byte[] later = execution(false, false, text("5678"), text("tree"));
    parameters.prepared(ID, 2);
    values(numbers);

    assertThat(values(later)).as("types told in a loss").isEqualTo(NONE);
    assertThat(values(execution(false, false, number(BIGINT, 8, 77), number(INT, 4, 88))))
        .as("types that were wrong before")
        .isEqualTo(NONE);
    assertThat(values(numbers)).isEqualTo(sketch("1234 99"));
  }

  @Test
  void aLossLeavesCutExecutionsWithoutValuesUntilTypesAreTold() {
    byte[] told = execution(true, false, number(INT, 4, 1234), number(INT, 4, 99));
    byte[] later = execution(false, false, number(INT, 4, 77), number(INT, 4, 88));
    parameters.prepared(ID, 2);
    values(told);
    parameters.lost();

    assertThat(cutValues(later, later.length - 1)).isEqualTo(NONE);
    assertThat(values(later)).as("a whole one proves its types").isEqualTo(sketch("77 88"));
    values(told);
    assertThat(cutValues(later, later.length - 1)).isEqualTo(sketch("77"));
  }

  @Test
  void rowsThatDoNotEndWithALastValueCarryNone() {
    parameters.prepared(ID, 2);
    List<Parameter> types = List.of(none(INT), none(TEXT));
    bulkValues(rows(types, number(INT, 4, 300), text("walnut")));

    assertThat(bulkValues(rows(List.of(), number(BIGINT, 8, 300), text("walnut")))).isEqualTo(NONE);
    assertThat(bulkValues(rows(types, number(INT, 4, 300)))).as("half a row").isEqualTo(NONE);
  }

  @Test
  void aStatementWithoutParametersTakesThePlaceOfAnotherOfItsNumber() {
    parameters.prepared(ID, 1);
    parameters.prepared(ID, 0);

    assertThat(values(execution(true, false, number(INT, 4, 1234)))).isEqualTo(NONE);
  }

  @Test
  void whatWasSentBeforeIsForgottenByAReset() {
    parameters.prepared(ID, 1);
    parameters.sentBefore(ID);
    parameters.reset(ID);

    assertThat(values(execution(true, false, number(INT, 4, 1234)))).isEqualTo(sketch("1234"));
  }

  @Test
  void theTextOfAQueryStandsBehindItsAttributes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {2, 1, 2, 1, (byte) TEXT, 0, 1, 'a', INT, 0, 1, 'b'});
    out.writeBytes(text("00-4bf9").value);
    int text = out.size();
    out.writeBytes("SELECT 1".getBytes(StandardCharsets.UTF_8));
    byte[] query = out.toByteArray();

    assertThat(MySqlParameters.behindAttributes(query, 0, query.length)).isEqualTo(text);
    for (int length = 0; length < text; length++) {
      assertThat(MySqlParameters.behindAttributes(query, 0, length)).isEqualTo(-1);
    }
    assertThat(MySqlParameters.behindAttributes(new byte[] {0, 1, 'S'}, 0, 3)).isEqualTo(2);
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

    assertThat(bulkValues(bulk)).isEqualTo(sketch("300 walnut 301"));
    byte[] more = rows(List.of(), number(INT, 4, 302), text("tree"));
    assertThat(bulkValues(more)).isEqualTo(sketch("302 tree"));
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

      assertThat(cutValues(whole, length)).isIn(NONE, sketch("1234"));
    }
  }

  @Test
  void fewerParametersThanWerePreparedAreNotLookedForBehindTheEnd() {
    parameters.prepared(ID, 64);
    Parameter[] nulls = new Parameter[64];
    Arrays.fill(nulls, none(0x06));
    byte[] types = execution(true, false, nulls);
    values(types);
    byte[] one = {8, 1, 0, 0, 0, 1, 0, 0, 0};

    assertThat(values(one, true)).isEqualTo(NONE);
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
      for (int again = 0; again < 2; again++) {
        boolean whole = random.nextBoolean();
        parameters.ofExecution(NONE, ID, bytes, from, to, whole, random.nextBoolean());
        parameters.ofBulk(NONE, ID, bytes, from, to, whole);
      }
      MySqlParameters.placeholders(bytes, from, to);
      assertThat(MySqlParameters.behindAttributes(bytes, from, to))
          .satisfiesAnyOf(
              at -> assertThat(at).isEqualTo(-1), at -> assertThat(at).isBetween(from, to));
    }
  }

  @Test
  void memoryIsGivenBack() {
    for (int id = 0; id < 1_000; id++) {
      parameters.prepared(id, 3);
    }
    assertThat(memory.taken()).isPositive().isLessThan(26_000);
    for (int id = 0; id < 1_000; id++) {
      parameters.closed(id);
    }
    assertThat(memory.taken()).as("the table alone").isLessThan(600);

    parameters.prepared(ID, 1);
    parameters.release();

    assertThat(memory.taken()).isZero();
  }
}
