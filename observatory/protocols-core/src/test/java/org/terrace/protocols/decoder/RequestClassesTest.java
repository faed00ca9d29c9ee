package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.protocols.text.TextBuffer;
import org.terrace.testing.Seeds;

class RequestClassesTest {
  private final RequestClasses classes = new RequestClasses(100);

  private String url(String requestLine) {
    byte[] bytes = requestLine.getBytes(StandardCharsets.UTF_8);
    return classes.name(
        new UrlTemplates(classes).classOf(bytes, 0, requestLine.indexOf(' '), bytes.length));
  }

  private static String sql(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    TextBuffer normal = new SqlText().normalise(bytes, 0, bytes.length);
    return new String(normal.bytes(), 0, normal.length(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET /view-story?story=17                             | GET /view-story?story={n}
          GET /                                                | GET /
          GET /a/17/b/-3                                       | GET /a/{n}/b/{n}
          GET /a/6fa459ea-ee8a-3ca4-894e-db77e160355e          | GET /a/{uuid}
          GET /commit/4bd503b0                                 | GET /commit/{hex}
          GET /feedbacc                                        | GET /feedbacc
          GET /v2/users                                        | GET /v2/users
          GET /t/eyJhbGciOiJIUzI1NiJ9.abc.def                  | GET /t/{token}
          GET /a;jsessionid=1A2B3C?x=1&y=&z&q=two+words        | GET /a?x={n}&y=&z&q={s}
          GET http://board:8080/story/5?a=b#c                  | GET /story/{n}?a={s}
          OPTIONS *                                            | OPTIONS *
          CONNECT board:8080                                   | CONNECT {s}
          """)
  void urlTemplateKeepsWhatIsTheSameForAllRequestsOfAClass(String line, String template) {
    assertThat(url(line)).isEqualTo(template);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SELECT 1;                                            | SELECT ?
          SELECT  a,\tb FROM t1 WHERE c = 'it''s' AND d=-1.5e-3  | SELECT a, b FROM t1 WHERE c = ? AND d=?
          SELECT a FROM t WHERE b IN (1, 2,3)                  | SELECT a FROM t WHERE b IN (?)
          SELECT a FROM t WHERE b IN ($1,$2)                   | SELECT a FROM t WHERE b IN (?)
          INSERT INTO t VALUES (1,'a'), (2,'b'), (3, NULL)     | INSERT INTO t VALUES (?), (?, NULL)
          /* app */ SELECT /* a /* b */ c */ 1 -- end          | SELECT ?
          SELECT "a 1", E'\\'', B'01', $$x$$, $t$ $$ $t$        | SELECT "a 1", ?
          SELECT a - 1, a-b, x'1F', 0xFF, .5                   | SELECT a - ?, a-b, ?
          SELECT 'open                                         | SELECT ?
          """)
  void sqlKeepsWhatIsTheSameForAllExecutions(String text, String normal) {
    assertThat(sql(text)).isEqualTo(normal);
  }

  @Test
  void longTextsAreCutAndFurtherClassesAreOther() {
    assertThat(sql("SELECT " + "a, ".repeat(1_000))).hasSize(512).endsWith("...");
    for (int i = 0; i < 200; i++) {
      url("GET /" + "x".repeat(i + 1));
    }
    assertThat(url("GET /new")).isEqualTo("other");
    assertThat(url("GET /x")).isEqualTo("GET /x");
  }

  @Test
  void anyBytesHaveAClass() {
    RandomGenerator random = Seeds.generator(Seeds.next("classes"));
    String alphabet = "'\"$-/*();,?=& \n\\eE019aZ%.+:#\u00e9";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(60);
      for (int j = 0; j < length; j++) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      assertThat(sql(text.toString())).hasSizeLessThanOrEqualTo(512);
      assertThat(url("GET " + text)).isNotEmpty();
    }
  }
}
