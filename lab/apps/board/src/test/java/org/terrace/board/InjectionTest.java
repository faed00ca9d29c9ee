package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.board.Visitor.Page;
import org.terrace.board.page.State;

/** Hostile text in every field of every form and every query: it stays text. */
@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class InjectionTest {
  private static final List<String> HOSTILE =
      List.of(
          "<script>alert(1)</script>",
          "\"><img src=x onerror=alert(1)>",
          "' onmouseover='alert(1)",
          "</textarea><script>alert(1)</script>",
          "--></title><script>alert(1)</script>",
          "&lt;script&gt;",
          "javascript:alert(1)",
          "'; DROP TABLE moderator_log; --",
          "' OR '1'='1",
          "1 OR 1=1",
          "x') UNION SELECT password_hash FROM users --",
          "\\'; DELETE FROM users; --",
          "%' OR 'a' LIKE '%",
          "a & b | !c <-> d:*",
          "$1 $$ ${7*7} #{7*7} ?",
          "\u202Eright to left\u202C, Zürich, 日本, 🙂",
          "..\\../etc/passwd",
          "line\r\nSet-Cookie: stolen=1");

  @Test
  void everyFieldOfEveryFormIsHarmless(RunningBoard board) throws SQLException {
    long users = board.number("SELECT count(*) FROM users WHERE id <= 150");
    try (Visitor visitor = board.visitor()) {
      for (String text : HOSTILE) {
        for (String at :
            List.of(
                "/register",
                "/author-login",
                "/post-comment?story=620",
                "/moderate-comment?comment=3000",
                "/submit-story",
                "/search",
                "/older-stories")) {
          for (Element form : visitor.get(at).document().select("form[data-page]")) {
            sendHostile(visitor, form, text);
          }
        }
      }
    }
    assertThat(board.number("SELECT count(*) FROM users WHERE id <= 150")).isEqualTo(users);
    assertThat(board.number("SELECT count(*) FROM moderator_log")).isPositive();
  }

  @Test
  void everyParameterOfEveryPageIsHarmless(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      for (State state : State.values()) {
        for (String text : HOSTILE) {
          String value = Visitor.encode(text);
          Page page =
              visitor.get(
                  state.path()
                      + ("?story=N&comment=N&parent=N&category=N&page=N&day=N&search=N&title=N&body=N"
                              + "&subject=N&nickname=N&submission=N&rating=N")
                          .replace("N", value));
          assertThat(page.status()).as(state + " " + text).isIn(200, 403, 404, 405, 422);
          checkHarmless(page, text);
        }
      }
    }
  }

  @Test
  void whatIsStoredIsShownAsItWasWritten(RunningBoard board) {
    try (Visitor visitor = board.visitor();
        Visitor author = board.visitor()) {
      author.signIn("author6", "password6");
      for (String text : HOSTILE.subList(0, HOSTILE.size() - 1)) {
        Page stored =
            visitor.post("/store-comment", Map.of("story", "621", "subject", text, "body", text));
        assertThat(stored.state()).as(text).isEqualTo("StoreComment");
        Page comment = visitor.get(stored.one("[data-page=ViewComment]").attr("href"));
        checkHarmless(comment, text);
        assertThat(comment.one("h1").wholeText()).isEqualTo(text);
        assertThat(comment.one(".thread h3 a").wholeText()).isEqualTo(text);
        assertThat(comment.one(".thread .prose p").wholeText()).isEqualTo(text);
        assertThat(comment.document().title()).startsWith(text.substring(0, 3).strip());
        checkHarmless(visitor.get("/moderate-comment?" + query(comment)), text);

        visitor.post("/store-story", Map.of("category", "1", "title", text, "body", text));
        checkHarmless(author.get("/review-stories?page=3"), text);
        checkHarmless(author.get("/review-stories?page=4"), text);
      }
      checkHarmless(visitor.get("/view-story?story=621"), "alert");
    }
  }

  @Test
  void aWordThatMeansSomethingToTheDatabaseFindsOnlyItself(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      for (String text : List.of("%", "_", "user%", "'", "\\", "u' OR 'a'='a", "*")) {
        Page page = visitor.get("/search-in-users?search=" + Visitor.encode(text));
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.document().select(".users li")).as(text).isEmpty();
      }
    }
  }

  private static void sendHostile(Visitor visitor, Element form, String text) {
    Map<String, String> fields = new HashMap<>();
    for (String name : Visitor.fields(form).keySet()) {
      for (Map<String, String> more : List.of(Map.of(name, text), allOf(form, text))) {
        fields.clear();
        fields.putAll(Map.of("nickname", "", "password", ""));
        fields.putAll(Visitor.fields(form));
        fields.putAll(more);
        Page page =
            form.attr("method").equals("post")
                ? visitor.post(form.attr("action"), fields)
                : visitor.get(form.attr("action") + "?" + Visitor.encode(fields));
        assertThat(page.status()).as(form.attr("action") + " " + fields).isIn(200, 403, 404, 422);
        checkHarmless(page, text);
      }
    }
  }

  /** The text in every field but those that say which story, comment or category is meant. */
  private static Map<String, String> allOf(Element form, String text) {
    Map<String, String> all = new HashMap<>(Visitor.fields(form));
    all.replaceAll((name, value) ->
        List.of("story", "comment", "category", "rating", "nickname", "password").contains(name)
            ? value
            : text);
    return all;
  }

  private static void checkHarmless(Page page, String text) {
    assertThat(page.document().select("script, img, iframe")).as(text).isEmpty();
    for (Element element : page.document().getAllElements()) {
      element
          .attributes()
          .forEach(attribute -> {
            assertThat(attribute.getKey()).as(text).doesNotStartWith("on");
            if (List.of("href", "action", "src").contains(attribute.getKey())) {
              assertThat(attribute.getValue()).as(text).matches("#main|/([^/].*)?");
            }
          });
    }
    assertThat(page.response().headers().allValues("Set-Cookie"))
        .noneMatch(c -> c.contains("stolen"));
    assertThat(page.response().headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'");
  }

  private static String query(Page comment) {
    return comment.one("[data-page=ModerateComment]").attr("href").replaceAll(".*\\?", "");
  }
}
