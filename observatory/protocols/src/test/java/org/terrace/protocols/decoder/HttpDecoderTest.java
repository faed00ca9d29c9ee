package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.observation.ValueSketch;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.protocols.text.Ascii;
import org.terrace.testing.Seeds;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.tcp.Conversation.Ending;

class HttpDecoderTest {
  private static final int CASES = 2_000;
  private static final int DAMAGED_CASES = 4_000;

  private static List<Row> play(Script script) {
    return script.play(HttpDecoder::new, Ending.CAPTURE_ENDED);
  }

  private static Row row(String name, long arrival, long departure, int in, int out) {
    return new Row(name, arrival, departure, in, out, Outcome.OK);
  }

  @Test
  void pipelinedRequestsGetTheirResponsesInOrder() {
    String first = "GET /a HTTP/1.1\r\n\r\n";
    String second = "GET /b?x=1 HTTP/1.1\r\n\r\n";
    String ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    String bad = "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n";

    assertThat(play(new Script().client(first + second).server(ok).server(bad)))
        .containsExactly(
            row("GET /a", 0, 1, first.length(), ok.length()),
            new Row("GET /b?x={n}", 0, 2, second.length(), bad.length(), Outcome.ERROR));
  }

  /** The beginning of the second request must not count as the bytes of the first. */
  @Test
  void responseToTheFirstRequestMayComeWhileTheSecondIsBeingSent() {
    String first = "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
    String second = "GET /b HTTP/1.1\r\n\r\n";
    String ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

    assertThat(
            play(
                new Script()
                    .client(first + second.substring(0, 8))
                    .server(ok)
                    .client(second.substring(8))
                    .server(ok)))
        .containsExactly(
            row("POST /a", 0, 1, first.length(), ok.length()),
            row("GET /b", 0, 3, second.length(), ok.length()));
  }

  @Test
  void chunkedBodyEndsAfterItsTrailers() {
    String get = "GET /a HTTP/1.1\r\n\r\n";
    String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n";
    String body = "4;name=value\r\n\r\n\r\n\r\n1\r\nx\r\n0\r\nDigest: 1\r\n\r\n";

    assertThat(play(new Script().client(get).server(head).server(body).client(get)))
        .startsWith(row("GET /a", 0, 2, get.length(), head.length() + body.length()))
        .hasSize(2);
  }

  @Test
  void interimHeadNoContentAndNotModifiedResponsesHaveNoBody() {
    String ok = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
    Script script =
        new Script()
            .client("POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            .server("HTTP/1.1 100 Continue\r\n\r\n")
            .client("abc")
            .server("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
            .server("HTTP/1.1 204 No Content\r\n\r\n")
            .client("HEAD /a HTTP/1.1\r\n\r\n")
            .server(ok)
            .client("GET /c HTTP/1.1\r\n\r\n")
            .server("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n");

    assertThat(play(script))
        .extracting(Row::requestClass, Row::departure)
        .containsExactly(tuple("POST /a", 4L), tuple("HEAD /a", 6L), tuple("GET /c", 8L));
  }

  @Test
  void bodyWithoutLengthEndsWithTheConnection() {
    Script script =
        new Script().client("GET / HTTP/1.0\r\n\r\n").server("HTTP/1.0 200 OK\r\n\r\nabc");
    DecoderContext context =
        new DecoderContext(new Counters(), ProtocolRegistry.with(List.of()), 10);
    List<Outcome> outcomes = new ArrayList<>();
    HttpDecoder decoder =
        new HttpDecoder(context, (requestClass, request, outcome) -> outcomes.add(outcome));
    byte[] get = Ascii.of("GET / HTTP/1.0\r\n\r\n");
    byte[] response = Ascii.of("HTTP/1.0 200 OK\r\n\r\nabc");
    decoder.clientData(get, 0, get.length, Script.moment(0));
    decoder.serverData(response, 0, response.length, Script.moment(1));
    decoder.serverFinished(Script.moment(2));

    assertThat(outcomes).containsExactly(Outcome.OK);
    assertThat(script.play(HttpDecoder::new, Ending.RESET))
        .extracting(Row::outcome)
        .containsExactly(Outcome.ABORTED);
  }

  @Test
  void afterAnUpgradeOnlyTurnsAreKnown() {
    Script script =
        new Script()
            .client("GET /live HTTP/1.1\r\nUpgrade: websocket\r\n\r\n")
            .server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
            .client("\u0081\u0001x")
            .server("\u0081\u0001y");

    assertThat(play(script))
        .extracting(Row::requestClass)
        .containsExactly("GET /live", "upgraded turn");
  }

  @Test
  void hiddenEndOfAMessageIsTheLastByteBeforeTheOtherSideSpeaks() {
    DecoderContext context =
        new DecoderContext(new Counters(), ProtocolRegistry.with(List.of()), 10);
    List<Row> rows = new ArrayList<>();
    HttpDecoder decoder =
        new HttpDecoder(
            context,
            (requestClass, request, outcome) ->
                rows.add(Script.row(context, requestClass, request, outcome)));
    byte[] get = Ascii.of("GET /a HTTP/1.1\r\nCookie: ");
    byte[] response = Ascii.of("HTTP/1.1 404 No\r\nDate: ");
    for (int i = 0; i < 2; i++) {
      int time = i * 100;
      decoder.clientData(get, 0, get.length, Script.moment(time));
      decoder.clientMissing(50, Script.moment(time));
      decoder.serverData(response, 0, response.length, Script.moment(time + 10));
      decoder.serverMissing(500, Script.moment(time + 10));
      decoder.serverMissing(500, Script.moment(time + 20));
    }
    decoder.end(Ending.CLOSED, Script.moment(300));

    assertThat(rows)
        .containsExactly(
            new Row("GET /a", 0, 20, get.length + 50, response.length + 1000, Outcome.ERROR),
            new Row("GET /a", 100, 120, get.length + 50, response.length + 1000, Outcome.ERROR));
  }

  @Test
  void anySegmentationGivesTheSameRequests() {
    RandomGenerator random = Seeds.generator(Seeds.next("http-segmentation"));
    for (int i = 0; i < CASES; i++) {
      Script script = randomScript(random);
      List<Row> whole = play(script);

      assertThat(script.play(HttpDecoder::new, Ending.CAPTURE_ENDED, random, 0)).isEqualTo(whole);
      assertThat(whole).isNotEmpty().allMatch(row -> row.outcome() != Outcome.UNFINISHED);
    }
  }

  @Test
  void damagedStreamsNeverFailAndHoldNoMemory() {
    RandomGenerator random = Seeds.generator(Seeds.next("http-damage"));
    for (int i = 0; i < DAMAGED_CASES; i++) {
      List<Row> rows =
          randomScript(random).play(HttpDecoder::new, Ending.RESET, random, random.nextDouble(0.3));

      assertThat(rows).allMatch(row -> row.departure() >= row.arrival());
    }
  }

  private static Script randomScript(RandomGenerator random) {
    Script script = new Script();
    int turns = random.nextInt(1, 6);
    for (int turn = 0; turn < turns; turn++) {
      int pipelined = random.nextInt(3) == 0 ? random.nextInt(1, 6) : 1;
      StringBuilder requests = new StringBuilder();
      StringBuilder responses = new StringBuilder();
      for (int i = 0; i < pipelined; i++) {
        exchange(random, requests, responses);
      }
      script.client(requests.toString()).server(responses.toString());
    }
    return script;
  }

  private static void exchange(
      RandomGenerator random, StringBuilder request, StringBuilder response) {
    boolean post = random.nextInt(4) == 0;
    boolean head = !post && random.nextInt(8) == 0;
    request.append(post ? "POST" : head ? "HEAD" : "GET").append(" /page");
    request.append(random.nextInt(3)).append("?story=").append(random.nextInt(100));
    request.append(" HTTP/1.1\r\nHost: board\r\nCookie: ").repeat("c", random.nextInt(400));
    request.append("\r\n");
    if (post) {
      body(random, request, random.nextInt(3_000), random.nextBoolean());
    } else {
      request.append("\r\n");
    }
    if (random.nextInt(6) == 0) {
      response.append("HTTP/1.1 100 Continue\r\n\r\n");
    }
    int status = new int[] {200, 200, 200, 204, 304, 404, 503}[random.nextInt(7)];
    response.append("HTTP/1.1 ").append(status).append(" Reason\r\nServer: test\r\n");
    if (status == 204 || status == 304 || head) {
      response.append("content-length: 12\r\n\r\n");
    } else {
      body(random, response, random.nextInt(6_000), random.nextBoolean());
    }
  }

  private static void body(
      RandomGenerator random, StringBuilder text, int length, boolean chunked) {
    if (!chunked) {
      text.append("Content-Length: ").append(length).append("\r\n\r\n").repeat("\r\n", length / 2);
      text.repeat("x", length % 2);
      return;
    }
    text.append("Transfer-Encoding: chunked\r\n\r\n");
    for (int rest = length; rest > 0; ) {
      int chunk = random.nextInt(1, rest + 1);
      text.append(Integer.toHexString(chunk)).append("\r\n").repeat("\n", chunk).append("\r\n");
      rest -= chunk;
    }
    text.append("0\r\n\r\n");
  }

  private static final String POSTED = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private static Script posted(String headers, String... body) {
    Script script = new Script().client("POST /story HTTP/1.1\r\n" + headers + "\r\n");
    for (String part : body) {
      script.client(part);
    }
    return script.server(POSTED);
  }

  private static long values(Script script) {
    return script.carriedValues(HttpDecoder::new).getFirst();
  }

  private static long sketch(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return ValueSketch.add(ValueSketch.NONE, bytes, 0, bytes.length);
  }

  @Test
  void aFormAndJsonCarryTheirValuesHoweverTheyAreCut() {
    String form = "Content-type: Application/X-www-form-urlencoded; charset=utf-8\r\n";
    String json = "Content-Type: application/vnd.shop+json\r\n";

    assertThat(values(posted(form + "Content-Length: 17\r\n", "id=1234&tree=", "oaks")))
        .isEqualTo(sketch("1234 oaks"));
    assertThat(
            values(
                posted(
                    form + "Transfer-Encoding: chunked\r\n",
                    "8\r\nid=1234&\r\n9\r\n",
                    "tree=oaks\r\n0\r\n\r\n")))
        .isEqualTo(sketch("1234 oaks"));
    assertThat(
            values(
                posted(json + "Content-Length: 27\r\n", "{\"id\": 1234, \"tree\":", "\"oaks\"}")))
        .isEqualTo(sketch("1234 oaks"));
  }

  @Test
  void anotherBodyAndAPackedOneCarryNone() {
    String length = "Content-Length: 9\r\n";
    String form = "Content-Type: application/x-www-form-urlencoded\r\n";

    assertThat(values(posted(length + "Content-Type: text/plain\r\n", "tree=oaks"))).isZero();
    assertThat(values(posted(length, "tree=oaks"))).isZero();
    assertThat(values(posted(length + form + "Content-Encoding: gzip\r\n", "tree=oaks"))).isZero();
  }

  @Test
  void theBodyOfARequestIsNotThatOfTheNext() {
    String form = "Content-Length: 9\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    Script script =
        posted(form, "tree=oaks")
            .client("POST /story HTTP/1.1\r\nContent-Length: 9\r\n\r\ntree=elms")
            .server(POSTED);

    assertThat(script.carriedValues(HttpDecoder::new))
        .containsExactly(sketch("oaks"), ValueSketch.NONE);
  }
}
