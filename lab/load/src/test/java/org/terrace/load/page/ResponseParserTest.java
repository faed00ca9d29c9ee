package org.terrace.load.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.testing.Seeds;

class ResponseParserTest {
  private static final String PAGE = "<meta name=\"page\" content=\"View\"><a href=/ data-page=X>";

  private final RandomGenerator random = Seeds.generator(Seeds.next("ResponseParserTest"));
  private final PageScanner scanner = new PageScanner();
  private final ResponseParser parser = new ResponseParser(scanner);
  private final Cookies cookies = new Cookies();

  /** Feeds the response in pieces of random length and tells how many bytes were used. */
  private int parse(String response) throws MalformedResponseException {
    byte[] bytes = response.getBytes(StandardCharsets.ISO_8859_1);
    scanner.begin("X", random);
    parser.begin(cookies);
    int used = 0;
    while (used < bytes.length && !parser.done()) {
      int length = Math.min(bytes.length - used, 1 + random.nextInt(30));
      used += parser.feed(bytes, used, length);
    }
    return used;
  }

  private static String withLength(String headers) {
    return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + PAGE.length() + "\r\n\r\n" + PAGE;
  }

  @Test
  void aBodyOfKnownLengthEndsWithItAndTheRestIsNotUsed() throws IOException {
    String response = withLength("");

    assertThat(parse(response + "HTTP/1.1 200 OK\r\n")).isEqualTo(response.length());
    assertThat(parser.done()).isTrue();
    assertThat(parser.status()).isEqualTo(200);
    assertThat(parser.keepAlive()).isTrue();
    assertThat(scanner.pageState()).isEqualTo("View");
  }

  @Test
  void chunksAreJoined() throws IOException {
    String chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (int at = 0; at < PAGE.length(); at += 7) {
      String part = PAGE.substring(at, Math.min(at + 7, PAGE.length()));
      chunks += Integer.toHexString(part.length()) + ";x=y\r\n" + part + "\r\n";
    }
    chunks += "0\r\nTrailer: x\r\n\r\n";

    assertThat(parse(chunks)).isEqualTo(chunks.length());
    assertThat(parser.done()).isTrue();
    assertThat(scanner.pageState()).isEqualTo("View");
    assertThat(scanner.candidates()).isEqualTo(1);
  }

  @Test
  void interimResponsesAreSkipped() throws IOException {
    parse(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
            + withLength(""));

    assertThat(parser.done()).isTrue();
    assertThat(parser.status()).isEqualTo(200);
  }

  @Test
  void aBodyWithoutLengthEndsWithTheConnection() throws IOException {
    parse("HTTP/1.0 200 OK\r\n\r\n" + PAGE);

    assertThat(parser.done()).isFalse();
    assertThat(parser.connectionEnded()).isTrue();
    assertThat(parser.keepAlive()).isFalse();
    assertThat(scanner.pageState()).isEqualTo("View");
  }

  @Test
  void anAnswerCutShortIsNotWhole() throws IOException {
    String response = withLength("");
    for (int cut = 1; cut < response.length(); cut++) {
      parse(response.substring(0, cut));
      assertThat(parser.connectionEnded()).as("cut at %s", cut).isFalse();
    }
  }

  @Test
  void cookiesAreKeptReplacedAndRemoved() throws IOException {
    parse(withLength("Set-Cookie: a=1; Path=/; HttpOnly\r\nset-cookie: b=2\r\n"));
    assertThat(cookies.header()).isEqualTo("a=1; b=2");

    parse(withLength("Set-Cookie: a=3\r\nSet-Cookie: b=; Max-Age=0\r\n"));
    assertThat(cookies.header()).isEqualTo("a=3");
  }

  @Test
  void aDateOfLongAgoRemovesACookieUnlessItsAgeSaysOtherwise() throws IOException {
    parse(
        withLength(
            "Set-Cookie: a=1; Expires=Fri, 31 Dec 2170 00:00:00 GMT\r\nSet-Cookie: b=2\r\n"));
    assertThat(cookies.header()).isEqualTo("a=1; b=2");

    parse(withLength("Set-Cookie: a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT\r\n"));
    assertThat(cookies.header()).isEqualTo("b=2");

    parse(withLength("Set-Cookie: b=3; expires=Thu, 01-Jan-70 00:00:00 GMT; Max-Age=60\r\n"));
    assertThat(cookies.header()).isEqualTo("b=3");
    parse(withLength("Set-Cookie: b=; expires=Thu, 01-Jan-70 00:00:10 GMT\r\n"));
    assertThat(cookies.header()).isEmpty();
  }

  /** The forms of RFC 9110, section 5.6.7, and others that services write. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "Expires=Thu Jan  1 00:00:00 1970",
        "Expires=Thu Jan  1 00:00:00 1970; Path=/",
        "Expires=Wed, 31-Dec-1969 23:59:59 GMT",
        "Expires=Wed, 31-Dec-1969",
        "Expires=Wednesday, 01-Jan-97 00:00:00 GMT",
        "Expires=Mon, 26 Jul 1997 05:00:00 GMT",
        "Expires=Mon, 01 Jan 1601 00:00:00 GMT",
        "Max-Age=abc; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=",
        "Max-Age=60; Max-Age=0",
        "Max-Age=-1",
      })
  void aDateOfALastCenturyOrNoAgeRemovesACookie(String attributes) throws IOException {
    parse(withLength("Set-Cookie: a=1\r\n"));
    parse(withLength("Set-Cookie: a=; " + attributes + "\r\n"));

    assertThat(cookies.header()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Expires=Sat, 01-Jan-00 00:00:00 GMT",
        "Expires=Tue, 01-Jan-69 00:00:00 GMT",
        "Expires=Fri Jan  1 00:00:00 2100",
        "Expires=Wed, 21 Oct 2126 07:28:00 -1000",
        "Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60",
        "Max-Age=0; Max-Age=60",
        "Max-Age=abc",
        "Path=/in 1970; Expires=Fri, 31 Dec 2170 00:00:00 GMT",
      })
  void anyOtherDateOrAgeKeepsACookie(String attributes) throws IOException {
    parse(withLength("Set-Cookie: a=1; " + attributes + "\r\n"));

    assertThat(cookies.header()).isEqualTo("a=1");
  }

  @Test
  void redirectsAndClosingAreSeen() throws IOException {
    parse(
        "HTTP/1.1 302 Found\r\nLocation: /next\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");

    assertThat(parser.done()).isTrue();
    assertThat(parser.location()).isEqualTo("/next");
    assertThat(parser.keepAlive()).isFalse();

    parse("HTTP/1.1 204 No Content\r\n\r\n");
    assertThat(parser.done()).isTrue();
    assertThat(parser.location()).isNull();
  }

  @Test
  void whatIsNotAResponseIsRefused() {
    for (String wrong :
        new String[] {
          "SSH-2.0-OpenSSH\r\n",
          "HTTP/2 200 OK\r\n",
          "HTTP/1.1 9999\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
          "HTTP/1.1 200 OK\r\nX: " + "y".repeat(ResponseParser.LINE_LIMIT),
          "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(ResponseParser.HEADER_LIMIT + 1),
          "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n"
              + "x".repeat((int) ResponseParser.BODY_LIMIT + 1)
        }) {
      assertThatThrownBy(() -> parse(wrong))
          .as(wrong.substring(0, Math.min(60, wrong.length())))
          .isInstanceOf(MalformedResponseException.class);
    }
  }

  @Test
  void randomDamageIsRefusedOrReadButNeverBreaksTheParser() throws IOException {
    byte[] whole = withLength("Set-Cookie: a=1\r\n").getBytes(StandardCharsets.ISO_8859_1);
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
      byte[] bytes = whole.clone();
      for (int damage = 1 + random.nextInt(4); damage > 0; damage--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        parse(new String(bytes, StandardCharsets.ISO_8859_1));
      } catch (MalformedResponseException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(500, 4500);
  }
}
