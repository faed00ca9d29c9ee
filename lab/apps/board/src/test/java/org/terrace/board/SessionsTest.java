package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class SessionsTest {

  private static String url(BoardServer server) {
    return "http://" + RunningBoard.SERVER_ADDRESS + ":" + server.port();
  }

  private static String cookie(Visitor visitor) {
    return visitor.cookies().getCookieStore().getCookies().getFirst().getValue();
  }

  private static Visitor.Page get(Visitor visitor, BoardServer server, String path, String cookie) {
    return visitor.send(
        java.net.http.HttpRequest.newBuilder(java.net.URI.create(url(server) + path))
            .header("Cookie", Sessions.COOKIE + "=" + cookie)
            .build());
  }

  @Test
  void everyServerKnowsWhoSignedInAtOneOfThem(RunningBoard board) {
    try (Visitor author = board.visitor();
        Visitor elsewhere = new Visitor("")) {
      author.signIn("author8", "password8");
      try (BoardServer second = board.anotherServer("app2")) {
        assertThat(get(elsewhere, second, "/review-stories", cookie(author)).state())
            .isEqualTo("ReviewStories");
      }
    }
  }

  @Test
  void theOthersAreFoundByAName(RunningBoard board) {
    try (Visitor author = board.visitor();
        Visitor elsewhere = new Visitor("")) {
      author.signIn("author9", "password9");
      try (BoardServer second = board.anotherServerByName("app5")) {
        assertThat(get(elsewhere, second, "/review-stories", cookie(author)).state())
            .isEqualTo("ReviewStories");
      }
    }
  }

  /** As a busy machine makes it: the others are there, and long in answering. */
  @Test
  void aServerThatMeetsTheOthersLateAnswersWhenItHasTheirSessions(RunningBoard board) {
    try (Visitor author = board.visitor();
        Visitor elsewhere = new Visitor("");
        LateContact contact = board.lateContact(Duration.ofSeconds(3))) {
      author.signIn("author7", "password7");
      try (BoardServer second = board.anotherServer("app4", contact)) {
        assertThat(get(elsewhere, second, "/review-stories", cookie(author)).state())
            .isEqualTo("ReviewStories");
      }
    }
  }

  @Test
  void aVisitorGoesOnAtTheOtherServerWhenHisOwnIsGone(RunningBoard board) {
    BoardServer second = board.anotherServer("app3");
    try (Visitor writer = new Visitor(url(second));
        Visitor elsewhere = board.visitor()) {
      Visitor.Page form = writer.get("/submit-story");
      writer.submit(
          form.one("form[data-page=StoreStory]"),
          Map.of(
              "title", "Half a title",
              "body", "Half a story",
              "nickname", "user3",
              "password", "password3"));
      keep(writer, Map.of("category", "1", "title", "Half a title", "body", "Half a story"));
      String cookie = cookie(writer);
      second.close();

      elsewhere.cookies().getCookieStore().add(java.net.URI.create(board.url()), cookieOf(cookie));
      Visitor.Page goesOn = elsewhere.get("/submit-story");
      assertThat(goesOn.one(".as b").text()).isEqualTo("user3");
      assertThat(goesOn.one("input[name=title]").val()).isEqualTo("Half a title");
      assertThat(goesOn.one("textarea").text()).isEqualTo("Half a story");
    }
  }

  private static java.net.HttpCookie cookieOf(String value) {
    java.net.HttpCookie cookie = new java.net.HttpCookie(Sessions.COOKIE, value);
    cookie.setPath("/");
    cookie.setVersion(0);
    return cookie;
  }

  private static Visitor.Page keep(Visitor writer, Map<String, String> fields) {
    Map<String, String> all = new java.util.HashMap<>(fields);
    all.put("keep", "draft");
    Visitor.Page page = writer.post("/store-story", all);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.state()).isEqualTo("SubmitStory");
    assertThat(page.one(".kept").text()).contains("kept");
    return page;
  }

  @Test
  void aDraftIsGoneOnceItIsSent(RunningBoard board) {
    try (Visitor writer = board.visitor()) {
      keep(writer, Map.of("category", "1", "title", "Soon", "body", "To be sent"));
      assertThat(writer.get("/submit-story").one("textarea").text()).isEqualTo("To be sent");
      writer.submit(
          writer.get("/submit-story").one("form[data-page=StoreStory]"), Map.of("category", "1"));

      assertThat(writer.get("/submit-story").one("textarea").text()).isEmpty();
    }
  }

  @Test
  void draftsOfDifferentAnswersStayApart(RunningBoard board) {
    try (Visitor writer = board.visitor()) {
      String story = writer.get("/").one("a[data-page=ViewStory]").attr("href").split("=", 2)[1];
      Map<String, String> draft =
          Map.of("story", story, "subject", "Re", "body", "Not yet", "keep", "draft");
      assertThat(writer.post("/store-comment", draft).state()).isEqualTo("PostComment");

      assertThat(writer.get("/post-comment?story=" + story).one("textarea").text())
          .isEqualTo("Not yet");
      assertThat(writer.get("/submit-story").one("textarea").text()).isEmpty();
    }
  }

  @Test
  void whoeverSignsOutIsAStranger(RunningBoard board) {
    try (Visitor author = board.visitor()) {
      author.signIn("author9", "password9");
      String cookie = cookie(author);
      author.post("/author-login", Map.of());
      author.cookies().getCookieStore().removeAll();
      author.cookies().getCookieStore().add(java.net.URI.create(board.url()), cookieOf(cookie));

      assertThat(author.get("/review-stories").status()).isEqualTo(403);
    }
  }

  @Test
  void aMadeUpCookieIsNoSession(RunningBoard board) {
    try (Visitor stranger = board.visitor()) {
      stranger
          .cookies()
          .getCookieStore()
          .add(java.net.URI.create(board.url()), cookieOf("0123456789ABCDEF"));

      assertThat(stranger.get("/review-stories").status()).isEqualTo(403);
    }
  }

  @Test
  void theCookieIsForThisSiteAndNoScript(RunningBoard board) {
    try (Visitor author = board.visitor()) {
      Visitor.Page page = author.signIn("author10", "password10");

      assertThat(page.response().headers().firstValue("Set-Cookie").orElse(""))
          .contains("HttpOnly")
          .contains("SameSite=Strict")
          .contains("Path=/");
    }
  }
}
