package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.TerraceException;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;
import org.terrace.testing.Seeds;

class PricesFileTest {
  private static final Path EXAMPLE =
      Path.of(System.getProperty("terrace.root")).resolve("docs/guide/prices.yaml");
  private static final String NAME = "prices.yaml";
  private static final String GOOD =
      """
      kind: Prices
      currency: USD
      servers: {normal: 0.20, L: 0.05}
      requests:
        StoreStory: {within: 2s, revenue: 0.005}
        others: {within: 500ms, revenue: 0.001, penalty: 0.002}
      serverStart: 0.01
      day:
        - {at: "00:00", users: 400}
        - {at: "08:30", users: 3000}
      """;

  @Test
  void everyFieldIsRead() {
    assertThat(PricesFile.read(NAME, GOOD))
        .isEqualTo(
            new Prices(
                "USD",
                Map.of("normal", 0.20, "L", 0.05),
                Map.of("StoreStory", new Terms(2_000, 0.005, 0)),
                new Terms(500, 0.001, 0.002),
                List.of(new Prices.DayLoad(0, 400), new Prices.DayLoad(510, 3_000)),
                0.01));
  }

  @Test
  void theyMayStandInAMesh() throws IOException {
    String mesh =
        "kind: Mesh\ntopologies: [no matter]\nprices:\n"
            + GOOD.lines().skip(1).map(line -> "  " + line + "\n").collect(Collectors.joining());
    assertThat(PricesFile.read(NAME, mesh)).isEqualTo(PricesFile.read(NAME, GOOD));
    Path file = Files.createTempDirectory("prices").resolve("specification.yaml");
    assertThat(PricesFile.isMeshWithPrices(file)).isFalse();
    Files.writeString(file, mesh);
    assertThat(PricesFile.isMeshWithPrices(file)).isTrue();
    Files.writeString(file, mesh.replace("prices:", "price:"));
    assertThat(PricesFile.isMeshWithPrices(file)).isFalse();
    Files.writeString(file, GOOD);
    assertThat(PricesFile.isMeshWithPrices(file)).isFalse();
  }

  @Test
  void theExampleOfTheGuideIsRead() {
    assertThat(PricesFile.read(EXAMPLE).day()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "kind: Prices | kind: Price | prices.yaml:1: | Price",
        "currency: USD | curency: USD | prices.yaml:2: | 'curency'",
        "0.05} | -0.05} | prices.yaml:3: | no amount",
        "0.05} | .nan} | prices.yaml:3: | no amount",
        "revenue: 0.005 | revenu: 0.005 | prices.yaml:5: | 'revenue'",
        "500ms | 500 | prices.yaml:6: | duration",
        "08:30 | 24:30 | prices.yaml:10: | time",
        "08:30 | 00:00 | prices.yaml:1: | do not rise",
        "users: 3000 | users: -1 | prices.yaml:10: | whole number"
      })
  void whatIsWrongIsSaidByLine(String good, String bad, String line, String words) {
    assertThatThrownBy(() -> PricesFile.read(NAME, GOOD.replace(good, bad)))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(line)
        .hasMessageContaining(words);
  }

  /** Whatever the text, there are prices or a message that names the file. */
  @Test
  void noTextBreaksTheReader() {
    RandomGenerator random = Seeds.generator(Seeds.next("PricesFileTest.fuzz"));
    String alphabet = "{}[]:,-\n \"'#&*!|>%@`0123456789.eE~abcSs\t\u0000\u00e9";
    int read = 0;
    for (int i = 0; i < 3_000; i++) {
      StringBuilder text = new StringBuilder(GOOD);
      int edits = 1 + random.nextInt(6);
      for (int edit = 0; edit < edits; edit++) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
          default -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
        }
      }
      try {
        PricesFile.read(NAME, text.toString());
        read++;
      } catch (TerraceException e) {
        assertThat(e).hasMessageContaining(NAME);
      }
    }
    System.out.printf("%d of 3,000 damaged texts were prices all the same%n", read);
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws IOException {
    Path missing = Files.createTempDirectory("prices").resolve("none.yaml");
    assertThatThrownBy(() -> PricesFile.read(missing))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("none.yaml");
  }
}
