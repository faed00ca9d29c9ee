package org.terrace.board.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BoardDataTest {
  private static final LocalDate LAST_DAY = LocalDate.of(2026, 6, 30);
  private static final Shape SMALL = new Shape(0.002, 1, LAST_DAY);
  private static Map<Table, List<String[]>> rows = Map.of();

  @BeforeAll
  static void makeRows() throws IOException {
    rows = rows(SMALL);
  }

  @Test
  void theSameSeedMakesTheSameRowsAndAnotherSeedOthers() throws Exception {
    assertThat(digest(SMALL)).isEqualTo(digest(new Shape(0.002, 1, LAST_DAY)));
    assertThat(digest(SMALL)).isNotEqualTo(digest(new Shape(0.002, 2, LAST_DAY)));
    assertThat(digest(SMALL)).isNotEqualTo(digest(new Shape(0.002, 1, LAST_DAY.plusDays(1))));
  }

  /** Whoever changes the generator on purpose changes this, too: kept data sets are then stale. */
  @Test
  void theRowsOfSeedOneAreKnown() throws Exception {
    assertThat(digest(SMALL)).startsWith("32bdacb392281e0a");
  }

  @Test
  void everyRowHasAsManyFieldsAsItsTableAndEveryReferenceLeadsBack() {
    rows.forEach((table, all) -> {
      int columns = table.copyStatement().split(",").length;
      assertThat(all).isNotEmpty().allMatch(row -> row.length == columns);
    });
    int users = rows.get(Table.USERS).size();
    List<String[]> stories = new ArrayList<>(rows.get(Table.OLD_STORIES));
    stories.addAll(rows.get(Table.STORIES));
    List<String[]> comments = new ArrayList<>(rows.get(Table.OLD_COMMENTS));
    comments.addAll(rows.get(Table.COMMENTS));
    for (int i = 0; i < stories.size(); i++) {
      assertThat(stories.get(i)[0]).isEqualTo(String.valueOf(i + 1));
    }
    Map<String, Integer> counted = new HashMap<>();
    Map<String, String> storyOf = new HashMap<>();
    for (String[] comment : comments) {
      counted.merge(comment[1], 1, Integer::sum);
      storyOf.put(comment[0], comment[1]);
      if (!comment[2].equals("\\N")) {
        assertThat(storyOf.get(comment[2])).isEqualTo(comment[1]);
      }
      assertThat(comment[3].equals("\\N") || Integer.parseInt(comment[3]) <= users).isTrue();
    }
    assertThat(stories).allMatch(s -> Integer.parseInt(s[7]) == counted.get(s[0]));
  }

  @Test
  void theSizesAreThoseOfRubbos() {
    Shape full = new Shape(1, 1, LAST_DAY);
    assertThat(full.users()).isEqualTo(500_000);
    assertThat(full.days()).isEqualTo(3 * 365);
    assertThat(full.leastComments()).isEqualTo(20);
    assertThat(full.mostComments()).isEqualTo(50);
    Shape quick = new Shape(0.01, 1, LAST_DAY);
    assertThat(quick.users()).isEqualTo(5_000);
    assertThat(quick.days()).isEqualTo(40);
    assertThatThrownBy(() -> new Shape(0, 1, LAST_DAY)).hasMessageContaining("scale");
    assertThatThrownBy(() -> new Shape(Double.NaN, 1, LAST_DAY)).hasMessageContaining("scale");
  }

  @Test
  void storiesComeFifteenToTwentyFiveADayAndTextsKeepTheirBounds() {
    Map<String, Integer> perDay = new HashMap<>();
    for (Table table : List.of(Table.OLD_STORIES, Table.STORIES)) {
      for (String[] story : rows.get(table)) {
        perDay.merge(story[6].substring(0, 10), 1, Integer::sum);
        assertThat(story[3]).hasSizeLessThan(100);
        assertThat(story[5]).hasSizeBetween(1_000, 8_192 + 100);
      }
    }
    assertThat(perDay).hasSize(SMALL.days());
    assertThat(perDay.values()).allMatch(count -> count >= 15 && count <= 25);
    assertThat(perDay).containsKey(LAST_DAY.toString());
  }

  @Test
  void wordsHaveZipfsFrequencies() {
    Vocabulary vocabulary = new Vocabulary(5);
    SplittableRandom random = new SplittableRandom(5);
    Map<String, Integer> drawn = new HashMap<>();
    int draws = 400_000;
    for (int i = 0; i < draws; i++) {
      drawn.merge(vocabulary.draw(random), 1, Integer::sum);
    }
    List<String> words = vocabulary.words();
    assertThat(words).doesNotHaveDuplicates().hasSize(Vocabulary.WORDS);
    assertThat(drawn).hasSizeGreaterThan(Vocabulary.WORDS * 9 / 10);
    double ratio = (double) drawn.get(words.get(0)) / drawn.get(words.get(36));
    assertThat(ratio).as("rank 1 to rank 37: (37 + 2.7) / (1 + 2.7)").isBetween(9.5, 12.0);
  }

  @Test
  void whatCopyWouldMistakeIsEscaped() throws IOException {
    var out = new java.io.ByteArrayOutputStream();
    CopyText text = new CopyText(out);
    text.number(1).text("a\tb\\c\nd\re").reference(0).reference(5).time(0).endRow();
    text.flush();
    assertThat(out).hasToString("1\ta\\tb\\\\c\\nd\\re\t\\N\t5\t1970-01-01 00:00+00\n");
  }

  private static String digest(Shape shape) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      BoardData data = new BoardData(shape);
      for (Table table : Table.values()) {
        data.write(table, new CopyText(out));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static Map<Table, List<String[]>> rows(Shape shape) throws IOException {
    BoardData data = new BoardData(shape);
    Map<Table, List<String[]>> rows = new HashMap<>();
    for (Table table : Table.values()) {
      var out = new java.io.ByteArrayOutputStream();
      data.write(table, new CopyText(out));
      rows.put(
          table,
          out.toString(java.nio.charset.StandardCharsets.UTF_8)
              .lines()
              .map(line -> line.split("\t", -1))
              .toList());
    }
    return rows;
  }
}
