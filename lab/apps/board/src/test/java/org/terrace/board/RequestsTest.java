package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.board.Visitor.Page;

/** Requests that are not what the pages' own links and forms send. */
@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class RequestsTest {

  @Test
  void whatIsNotThereIsNotFound(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      for (String path :
          List.of(
              "/nowhere",
              "/view-story",
              "/view-story?story=99999999",
              "/view-story?story=-1",
              "/view-story?story=99999999999999999999",
              "/view-story?story=7x",
              "/view-story?story=700&page=1000",
              "/view-comment?comment=0",
              "/moderate-comment?comment=99999999",
              "/post-comment?story=99999999",
              "/browse-stories-in-category?category=999",
              "/older-stories?day=2026-02-30",
              "/older-stories?day=-99999-01-01",
              "/search-in-stories?search=" + "x".repeat(61),
              "/search-in-users?search=%00",
              "/board.css")) {
        Page page = visitor.get(path);
        assertThat(page.status()).as(path).isEqualTo(404);
        assertThat(page.state()).as(path).isEqualTo("Error");
        assertThat(page.html()).endsWith("<!--end Error--></body></html>\n");
      }
    }
  }

  @Test
  void aFormWithACharacterThatCannotBeStoredIsRefused(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      Page page =
          visitor.post("/store-comment", Map.of("story", "630", "subject", "a\0b", "body", "x"));
      assertThat(page.status()).isEqualTo(422);
    }
  }

  @Test
  void aDayWithoutStoriesIsAPageWithoutStories(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      Page page = visitor.get("/older-stories?day=2020-01-01");
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.one(".empty")).isNotNull();
      assertThat(page.document().select(".days a")).as("the day after").hasSize(1);
    }
  }

  @Test
  void readingIsNoWayToWriteAndTheOtherWayRound(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      for (String path :
          List.of("/store-comment", "/store-story", "/accept-story", "/register-user")) {
        assertThat(visitor.get(path).status()).as(path).isEqualTo(405);
      }
      assertThat(visitor.post("/view-story", Map.of("story", "700")).status()).isEqualTo(405);
      HttpRequest delete = HttpRequest.newBuilder(URI.create(board.url() + "/")).DELETE().build();
      assertThat(visitor.send(delete).status()).isEqualTo(405);
    }
  }

  @Test
  void aFormThatIsTooLongIsRefused(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      Map<String, String> fields =
          Map.of("story", "631", "subject", "s", "body", "x".repeat(9_000));
      assertThat(visitor.post("/store-comment", fields).status()).isEqualTo(422);
      fields = Map.of("story", "631", "subject", "s", "body", "x".repeat(70_000));
      assertThat(visitor.post("/store-comment", fields).status()).isEqualTo(413);
    }
  }

  @Test
  void aFormFromAnotherSitesPageIsRefused(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      assertThat(visitor.send(form(board, "Sec-Fetch-Site", "cross-site")).status()).isEqualTo(403);
      assertThat(visitor.send(form(board, "Sec-Fetch-Site", "same-site")).status()).isEqualTo(403);
      assertThat(visitor.send(form(board, "Sec-Fetch-Site", "same-origin")).status())
          .isEqualTo(200);
      assertThat(visitor.send(form(board, "Origin", "http://evil.example")).status())
          .isEqualTo(403);
      assertThat(visitor.send(form(board, "Origin", "null")).status()).isEqualTo(403);
      assertThat(visitor.send(form(board, "Origin", board.url())).status()).isEqualTo(200);
    }
  }

  @Test
  void theSessionCookieIsKeptFromScriptsAndForeignPages(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      String cookie =
          visitor
              .signIn("author10", "password10")
              .response()
              .headers()
              .firstValue("Set-Cookie")
              .orElseThrow();
      assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict").contains("Path=/");
      assertThat(visitor.get("/").response().headers().firstValue("Set-Cookie")).isEmpty();
    }
  }

  @Test
  void healthIsAnsweredInTwoCharacters(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      Page page = visitor.get("/health");
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.html()).isEqualTo("ok");
    }
  }

  @Test
  void oneConnectionCarriesManyRequests(RunningBoard board) throws Exception {
    URI site = URI.create(board.url());
    try (Socket socket = new Socket(site.getHost(), site.getPort())) {
      for (int i = 0; i < 120; i++) {
        socket
            .getOutputStream()
            .write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void whatIsNoHttpIsAnsweredWithoutTellingAboutTheServer(RunningBoard board) throws Exception {
    URI site = URI.create(board.url());
    for (String line :
        List.of(
            "nonsense\r\n\r\n",
            "GET /\u0001 HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n")) {
      try (Socket socket = new Socket(site.getHost(), site.getPort())) {
        socket.getOutputStream().write(line.getBytes(StandardCharsets.ISO_8859_1));
        String answer = answer(socket.getInputStream());
        assertThat(answer).startsWith("HTTP/1.1 400").doesNotContainIgnoringCase("tomcat");
      }
    }
  }

  private static HttpRequest form(RunningBoard board, String header, String value) {
    return HttpRequest.newBuilder(URI.create(board.url() + "/store-comment"))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header(header, value)
        .POST(BodyPublishers.ofString("story=632&subject=From+elsewhere&body=x"))
        .build();
  }

  /** One answer with a Content-Length, or all there is. */
  private static String answer(InputStream in) throws Exception {
    StringBuilder answer = new StringBuilder();
    int expected = Integer.MAX_VALUE;
    while (answer.length() < expected) {
      int octet = in.read();
      if (octet < 0) {
        break;
      }
      answer.append((char) octet);
      if (answer.toString().endsWith("\r\n\r\n") && expected == Integer.MAX_VALUE) {
        int length = answer.indexOf("Content-Length: ");
        if (length >= 0) {
          String rest = answer.substring(length + "Content-Length: ".length());
          expected = answer.length() + Integer.parseInt(rest.substring(0, rest.indexOf('\r')));
        }
      }
    }
    return answer.toString();
  }
}
