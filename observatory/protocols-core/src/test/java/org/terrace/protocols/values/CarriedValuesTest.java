package org.terrace.protocols.values;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.observation.ValueSketch.NONE;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.observation.ValueSketch;
import org.terrace.testing.Seeds;

/** Values recur from URLs to statements, in whichever way each writes them. */
class CarriedValuesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/story/1234|1234",
        "/story?id=1234|1234",
        "/shops/17/carts/98|17 98",
        "/find?name=Walnut&page=12|walnut 12",
        "http://shop.example/find?name=walnut|walnut",
        "/find?name=caf%C3%A9+walnut%20tree|walnut tree",
        "/find?name=a%3D1234|1234",
        "/story/1234#part|1234 part",
      })
  void valuesOfATargetAreThoseBehindItsNames(String target, String values) {
    byte[] bytes = target.getBytes(UTF_8);

    assertThat(CarriedValues.ofTarget(NONE, bytes, 0, bytes.length)).isEqualTo(sketch(values));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/story/view", "/story?first&second", "*", "", "/find?name=&other="})
  void namesAreNoValues(String target) {
    byte[] bytes = target.getBytes(UTF_8);

    assertThat(CarriedValues.ofTarget(NONE, bytes, 0, bytes.length)).isEqualTo(NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "SELECT title FROM stories WHERE id = 1234|1234",
        "SELECT * FROM t_1234 WHERE name = 'Walnut'|walnut",
        "INSERT INTO users VALUES (17, 'O''Brien', 'it\\'s')|17 Brien",
        "SELECT $1, $22 FROM table77 LIMIT 50|50",
        "UPDATE t SET a=-1234 WHERE b='x y walnut'|1234 walnut",
        "SELECT 'walnut|walnut",
      })
  void valuesOfAStatementAreItsLiterals(String sql, String values) {
    byte[] bytes = sql.getBytes(UTF_8);

    assertThat(CarriedValues.ofStatement(NONE, bytes, 0, bytes.length)).isEqualTo(sketch(values));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{\"id\": 1234, \"name\":\"Walnut\"}|1234 walnut",
        "[\"walnut\", {\"tree\" : [17, 98.5]}]|walnut 17 98",
        "\"walnut\"|walnut",
        "{\"a\": \"x\\n\\\"walnut\\u00e9tree\\\\\"}|walnut tree",
        "{\"a\": true, \"b\": false, \"c\": null}|",
        "{\"walnut\": {\"1234\": {}}}|",
        "{\"a\": \"walnut|walnut",
        "{\"a\": \"walnut\\|walnut",
        "{\"a\": \"walnut\\u00|walnut",
      })
  void valuesOfJsonAreItsNumbersAndStrings(String json, String values) {
    byte[] bytes = json.getBytes(UTF_8);

    assertThat(CarriedValues.ofJson(NONE, bytes, 0, bytes.length, true))
        .isEqualTo(values == null ? NONE : sketch(values));
  }

  @Test
  void parametersAreValuesAsTextAndAsNumbers() throws IOException {
    byte[] oneFormat = bind(new int[] {1}, number(4, 1234), number(8, 987_654_321L));
    byte[] formats = bind(new int[] {0, 1, 0}, "walnut".getBytes(UTF_8), number(2, 512), null);
    byte[] texts = bind(new int[0], "1234".getBytes(UTF_8), null, "walnut".getBytes(UTF_8));
    byte[] binaryTexts =
        bind(new int[] {1}, "walnut".getBytes(UTF_8), "tree".getBytes(UTF_8), number(4, 1234));

    assertThat(ofBind(oneFormat)).isEqualTo(sketch("1234 987654321"));
    assertThat(ofBind(formats)).isEqualTo(sketch("walnut 512"));
    assertThat(ofBind(texts)).isEqualTo(sketch("1234 walnut"));
    assertThat(ofBind(binaryTexts)).isEqualTo(sketch("walnut tree 1234"));
  }

  @Test
  void whatIsBinaryIsNoText() throws IOException {
    byte[] binary = "walnut\0\1oaks".getBytes(UTF_8);

    assertThat(ofBind(bind(new int[] {1}, binary, "oaks\n1234".getBytes(UTF_8))))
        .isEqualTo(sketch("oaks 1234"));
  }

  /** A half of a number is another number, which may be that of somebody else. */
  @Test
  void aTextThatWasCutHasNoOtherValuesThanTheWhole() {
    assertNoOthers("/story/123456?tree=walnut&id=987654", CarriedValues::ofTarget);
    assertNoOthers("id=123456&tree=wal%20walnut&more=987654", CarriedValues::ofForm);
    assertNoOthers(
        "{\"name\": 123456, \"tree\": \"wal\\u00e9oaks\", \"other more\" :[987654]}",
        (sketch, bytes, from, to) ->
            CarriedValues.ofJson(sketch, bytes, from, to, to == bytes.length));
    assertNoOthers(
        "SELECT a FROM t_99 WHERE id=123456 AND b='walnut oaks' AND c IN (9876)",
        CarriedValues::ofStatement);
    assertNoOthers("walnut 1234 oaks_17", CarriedValues::ofText);
  }

  private static void assertNoOthers(String text, ValuesOf kind) {
    byte[] bytes = text.getBytes(UTF_8);
    Set<Integer> whole = lanes(kind.apply(NONE, bytes, 0, bytes.length));
    assertThat(whole).hasSizeGreaterThan(2);
    for (int cut = 0; cut < bytes.length; cut++) {
      int end = CarriedValues.endOfWhole(bytes, 0, cut);

      assertThat(whole)
          .as(text.substring(0, cut))
          .containsAll(lanes(kind.apply(NONE, bytes, 0, end)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {CarriedValues.BYTES_MAX - 8, CarriedValues.BYTES_MAX - 2})
  void aValueAtTheEndOfWhatIsLookedAtIsWholeOrNone(int blanks) {
    byte[] text = ("-".repeat(blanks) + "12345678").getBytes(UTF_8);

    assertThat(CarriedValues.ofText(NONE, text, 0, text.length))
        .isEqualTo(text.length > CarriedValues.BYTES_MAX ? NONE : sketch("12345678"));
  }

  private interface ValuesOf {
    long apply(long sketch, byte[] bytes, int from, int to);
  }

  private static Set<Integer> lanes(long sketch) {
    return IntStream.range(0, ValueSketch.LANES)
        .map(lane -> ValueSketch.lane(sketch, lane))
        .filter(value -> value != 0)
        .boxed()
        .collect(Collectors.toSet());
  }

  @Test
  void aCutBindGivesItsWholeParametersAndNeverFails() throws IOException {
    byte[] whole = bind(new int[] {0, 1}, "walnut".getBytes(UTF_8), number(8, 1234));
    for (int length = 0; length < whole.length; length++) {
      long sketch = CarriedValues.ofBind(NONE, whole, 0, length);

      assertThat(sketch).isIn(NONE, sketch("walnut"));
    }
  }

  @Test
  void anyBytesAreRead() {
    RandomGenerator random = Seeds.generator(Seeds.next("CarriedValuesTest"));
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      if (random.nextBoolean()) {
        for (int at = 0; at < bytes.length; at++) {
          bytes[at] = (byte) "/?=&%'\\1a\0\":".charAt(random.nextInt(12));
        }
      }
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      CarriedValues.ofTarget(NONE, bytes, from, to);
      CarriedValues.ofForm(NONE, bytes, from, to);
      CarriedValues.ofJson(NONE, bytes, from, to, random.nextBoolean());
      CarriedValues.ofStatement(NONE, bytes, from, to);
      CarriedValues.ofBind(NONE, bytes, from, to);
    }
  }

  @Test
  void whatIsFarBehindIsNotLookedAt() {
    byte[] bytes = ("/find?name=" + "-".repeat(CarriedValues.BYTES_MAX) + "walnut").getBytes(UTF_8);

    assertThat(CarriedValues.ofTarget(NONE, bytes, 0, bytes.length)).isEqualTo(NONE);
  }

  private static long ofBind(byte[] bytes) {
    return CarriedValues.ofBind(NONE, bytes, 0, bytes.length);
  }

  private static byte[] number(int length, long value) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (value >>> (Byte.SIZE * (length - 1 - i)));
    }
    return bytes;
  }

  private static byte[] bind(int[] formats, byte[]... parameters) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(formats.length);
    for (int format : formats) {
      out.writeShort(format);
    }
    out.writeShort(parameters.length);
    for (byte[] parameter : parameters) {
      out.writeInt(parameter == null ? -1 : parameter.length);
      if (parameter != null) {
        out.write(parameter);
      }
    }
    return bytes.toByteArray();
  }

  private static long sketch(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return ValueSketch.add(NONE, bytes, 0, bytes.length);
  }
}
