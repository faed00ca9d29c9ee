package org.terrace.protocols.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.testing.Seeds;
import org.terrace.wire.tcp.Conversation.Ending;

class RedisDecoderTest {
  private static final int CASES = 1_000;
  private static final int DAMAGED_CASES = 3_000;

  private static String command(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return text.toString();
  }

  private static List<Row> play(Script script) {
    return script.play(RedisDecoder::new, Ending.CAPTURE_ENDED);
  }

  private static List<String> classes(Script script) {
    return play(script).stream().map(Row::requestClass).toList();
  }

  @Test
  void commandRunsFromItsFirstByteToTheLastOfItsReply() {
    String set = command("set", "key", "value");

    assertThat(
            play(
                new Script()
                    .client(set.substring(0, 9))
                    .client(set.substring(9))
                    .server("+O")
                    .server("K\r\n")
                    .client(command("GET", "key"))
                    .server("$5\r\nvalue\r\n")))
        .containsExactly(
            new Row("SET", 0, 3, set.length(), 5, Outcome.OK),
            new Row("GET", 4, 5, 22, 11, Outcome.OK));
  }

  @Test
  void pipelinedCommandsAreAnsweredInTheirOrder() {
    assertThat(
            play(
                new Script()
                    .client(command("INCR", "a") + command("LRANGE", "l", "0", "-1"))
                    .client("PING\r\n\r\n")
                    .server(":-1\r\n*2\r\n$1\r\nx\r\n")
                    .server("$-1\r\n+PONG\r\n")))
        .extracting(Row::requestClass, Row::arrival, Row::departure, Row::bytesOut)
        .containsExactly(
            tuple("INCR", 0L, 2L, 5L), tuple("LRANGE", 0L, 3L, 16L), tuple("PING", 1L, 3L, 7L));
  }

  @Test
  void errorsFailTheirCommandAloneAndThoseWithinATransactionDoNotFailIt() {
    assertThat(
            play(
                new Script()
                    .client(command("NOSUCH"))
                    .server("-ERR unknown command\r\n")
                    .client(command("MULTI") + command("INCR", "text") + command("EXEC"))
                    .server("+OK\r\n+QUEUED\r\n*1\r\n-ERR not an integer\r\n")
                    .client(command("EVAL", "x", "0"))
                    .server("!5\r\nERR x\r\n")))
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(
            tuple("NOSUCH", Outcome.ERROR),
            tuple("MULTI", Outcome.OK),
            tuple("INCR", Outcome.OK),
            tuple("EXEC", Outcome.OK),
            tuple("EVAL", Outcome.ERROR));
  }

  @Test
  void everyKindOfReplyIsPassedOverWhateverItNests() {
    String nested = "%2\r\n+a\r\n*2\r\n:1\r\n~1\r\n#t\r\n=7\r\ntxt:abc\r\n|1\r\n+k\r\n+v\r\n_\r\n";
    String attribute = "|1\r\n+key-popularity\r\n%1\r\n$1\r\na\r\n,0.19\r\n";

    assertThat(
            play(
                new Script()
                    .client(command("A") + command("B") + command("C") + command("D"))
                    .server(nested + attribute + "*0\r\n" + "*-1\r\n" + "(12345678901234567890\r\n")
                    .client(command("E"))
                    .server("+OK\r\n")))
        .extracting(Row::requestClass, Row::departure)
        .containsExactly(
            tuple("A", 1L), tuple("B", 1L), tuple("C", 1L), tuple("D", 1L), tuple("E", 3L));
  }

  @Test
  void subscriptionIsAnsweredByAConfirmationForEachChannel() {
    String one = "*3\r\n$9\r\nsubscribe\r\n$3\r\none\r\n:1\r\n";
    String two = "*3\r\n$9\r\nsubscribe\r\n$3\r\ntwo\r\n:2\r\n";
    String message = "*3\r\n$7\r\nmessage\r\n$3\r\none\r\n$2\r\nhi\r\n";

    assertThat(
            play(
                new Script()
                    .client(command("SUBSCRIBE", "one", "two"))
                    .server(one + message)
                    .server(two)
                    .server(message)
                    .client(command("PING"))
                    .server(message + "*2\r\n$4\r\npong\r\n$0\r\n\r\n")
                    .client(command("UNSUBSCRIBE"))
                    .server("*3\r\n$11\r\nunsubscribe\r\n$3\r\none\r\n:1\r\n")
                    .server("*3\r\n$11\r\nunsubscribe\r\n$3\r\ntwo\r\n:0\r\n")
                    .client(command("LRANGE", "l", "0", "2"))
                    .server(message)))
        .extracting(Row::requestClass, Row::departure, Row::bytesOut)
        .containsExactly(
            tuple("SUBSCRIBE", 2L, (long) one.length() + two.length()),
            tuple("PING", 5L, 20L),
            tuple("UNSUBSCRIBE", 7L, 35L),
            tuple("LRANGE", 10L, (long) message.length()));
  }

  @Test
  void whatTheServerPushesOrMonitorsAnswersNobody() {
    String invalidate = ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\na\r\n";
    String message = ">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n";

    assertThat(
            play(
                new Script()
                    .client(command("GET", "a"))
                    .server(invalidate + "$1\r\n1\r\n" + message)
                    .client(command("SUBSCRIBE", "a") + command("GET", "b"))
                    .server(">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n" + message + "$-1\r\n")
                    .client(command("MONITOR"))
                    .server("+OK\r\n+1339518083.107412 [0 127.0.0.1:60866] \"keys\" \"*\"\r\n")
                    .client(command("PING"))
                    .server("+1339518083.107412 [0 127.0.0.1:60866] \"get\"\r\n+PONG\r\n")))
        .extracting(Row::requestClass, Row::departure)
        .containsExactly(
            tuple("GET", 1L),
            tuple("SUBSCRIBE", 3L),
            tuple("GET", 3L),
            tuple("MONITOR", 5L),
            tuple("PING", 7L));
  }

  @Test
  void commandsThatAskForNoReplyAreNoRequests() {
    assertThat(
            classes(
                new Script()
                    .client(command("CLIENT", "REPLY", "SKIP") + command("SET", "a", "1"))
                    .client(command("GET", "a"))
                    .server("$1\r\n1\r\n")
                    .client(command("client", "reply", "off") + command("SET", "a", "2"))
                    .client(command("CLIENT", "REPLY", "ON") + command("GET", "a"))
                    .server("+OK\r\n$1\r\n2\r\n")))
        .containsExactly("GET", "CLIENT REPLY", "GET");
  }

  @Test
  void replicationEndsTheRequestsOfItsConnection() {
    assertThat(
            classes(
                new Script()
                    .client(command("REPLCONF", "capa", "eof"))
                    .server("+OK\r\n")
                    .client(command("PSYNC", "?", "-1"))
                    .server("+FULLRESYNC 8371b4fb 0\r\n$8\r\nREDIS000" + command("PING"))
                    .client(command("REPLCONF", "ACK", "0"))))
        .containsExactly("REPLCONF", "PSYNC");
    assertThat(classes(new Script().client(command("SYNC")).server("$3\r\nRDB"))).isEmpty();
  }

  @Test
  void namesAreThoseOfCommandsAndTheirPartsAndNoKeys() {
    assertThat(
            classes(
                new Script()
                    .client(command("config", "get", "maxmemory"))
                    .server("*0\r\n")
                    .client(command("FT.SEARCH", "index", "text"))
                    .server("*0\r\n")
                    .client(command("\u0001\u0002"))
                    .server("-ERR\r\n")
                    .client(command("A".repeat(100)))
                    .server("-ERR\r\n")))
        .containsExactly("CONFIG GET", "FT.SEARCH", "(unknown command)", "A".repeat(24));
  }

  @Test
  void hugeTextsTakeNoMemoryAndMayBeMissing() {
    byte[] part = new byte[1 << 20];
    Script script = new Script().client("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + (512L << 20) + "\r\n");
    for (int i = 0; i < 512; i++) {
      script.client(part);
    }
    script.client("\r\n").server("+OK\r\n");

    // The script fails when the decoder has not given back what it took.
    assertThat(play(script))
        .extracting(Row::requestClass, Row::departure, Row::bytesIn)
        .containsExactly(tuple("SET", 514L, 20L + 12 + (512L << 20) + 2));
  }

  @Test
  void moreCommandsThanMayWaitAreGivenUpAndTheirRepliesPassedOver() {
    int more = RedisDecoder.PIPELINED_MAX + 1;
    Script script =
        new Script()
            .client(command("INCR", "a").repeat(more))
            .server(":1\r\n".repeat(more))
            .client(command("GET", "a"))
            .server("$1\r\n1\r\n");

    List<Row> rows = play(script);

    assertThat(rows).hasSize(more + 1);
    assertThat(rows).filteredOn(row -> row.outcome() == Outcome.UNFINISHED).hasSize(more - 1);
    assertThat(rows.getLast()).isEqualTo(new Row("GET", 2, 3, 20, 7, Outcome.OK));
  }

  @Test
  void commandWithoutAReplyIsAbortedOrUnfinished() {
    Script script = new Script().client(command("BLPOP", "queue", "0"));

    assertThat(script.play(RedisDecoder::new, Ending.CLOSED))
        .extracting(Row::outcome)
        .containsExactly(Outcome.ABORTED);
    assertThat(script.play(RedisDecoder::new, Ending.CAPTURE_ENDED))
        .extracting(Row::outcome)
        .containsExactly(Outcome.UNFINISHED);
  }

  @Test
  void replyOfWhichOnlyTheBeginningIsSeenEndsWithTheNextCommand() {
    Script script = new Script();
    script
        .client(command("NOSUCH"))
        .serverWithoutEnd("-ERR unknown comma", 40)
        .client(command("GET", "a"))
        .serverWithoutEnd("$100000\r\nxxxxx", 99_997 + 200)
        .client(command("PSYNC", "?", "-1"))
        .serverWithoutEnd("+FULLRES", 100)
        .client(command("REPLCONF", "ACK", "0"))
        .client(command("REPLCONF", "ACK", "1"));

    assertThat(play(script))
        .extracting(Row::requestClass, Row::departure, Row::bytesOut, Row::outcome)
        .containsExactly(
            tuple("NOSUCH", 1L, 18L, Outcome.ERROR),
            tuple("GET", 3L, 14L, Outcome.OK),
            tuple("PSYNC", 5L, 8L, Outcome.OK));
  }

  private static Script conversation() {
    Script script = new Script();
    for (int i = 0; i < 3; i++) {
      script
          .client(command("SET", "key" + i, "v".repeat(300)))
          .server("+OK\r\n")
          .client(command("GET", "key") + command("HGETALL", "h") + "PING\r\n")
          .server("$300\r\n" + "v".repeat(300) + "\r\n%1\r\n+a\r\n*2\r\n:1\r\n:2\r\n+PONG\r\n")
          .client(command("bad"))
          .server("-ERR\r\n")
          .client(command("SUBSCRIBE", "a"))
          .server(">3\r\n+subscribe\r\n$1\r\na\r\n:1\r\n>3\r\n+message\r\n$1\r\na\r\n$1\r\nb\r\n");
    }
    return script;
  }

  @Test
  void anySegmentationGivesTheSameRequests() {
    List<Row> whole = play(conversation());
    RandomGenerator random = Seeds.generator(Seeds.next("redis-segmentation"));
    for (int i = 0; i < CASES; i++) {
      assertThat(conversation().play(RedisDecoder::new, Ending.CAPTURE_ENDED, random, 0))
          .isEqualTo(whole);
    }
    assertThat(whole).hasSize(18).allMatch(row -> row.outcome() != Outcome.UNFINISHED);
  }

  @Test
  void damageNeverFails() {
    RandomGenerator random = Seeds.generator(Seeds.next("redis-damage"));
    for (int i = 0; i < DAMAGED_CASES; i++) {
      assertThat(
              conversation().play(RedisDecoder::new, Ending.CLOSED, random, random.nextDouble(0.5)))
          .hasSizeLessThan(200);
      assertThat(
              conversation()
                  .play(
                      RedisDecoder::joinedMidStream, Ending.CLOSED, random, random.nextDouble(0.1)))
          .hasSizeLessThan(200);
    }
  }

  @Test
  void noiseNeverFails() {
    RandomGenerator random = Seeds.generator(Seeds.next("redis-noise"));
    byte[] alphabet = "*$+-:%>|_#~=!(,019\r\n\n\nGETmessage".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < DAMAGED_CASES; i++) {
      Script script = new Script();
      for (int line = 0; line < 6; line++) {
        byte[] bytes = new byte[random.nextInt(1, 60)];
        for (int at = 0; at < bytes.length; at++) {
          bytes[at] = alphabet[random.nextInt(alphabet.length)];
        }
        if (line % 2 == 0) {
          script.client(command("GET", "a")).client(bytes);
        } else {
          script.server(bytes);
        }
      }
      assertThat(script.play(RedisDecoder::new, Ending.CLOSED)).hasSizeLessThan(200);
    }
  }

  @Test
  void connectionJoinedMidwayIsReadFromItsNextCommand() {
    assertThat(
            new Script()
                .server("rest of a text\r\n")
                .client("lue\r\n")
                .server("+OK\r\n")
                .client(command("GET", "a"))
                .server("$1\r\n1\r\n")
                .client(command("DEL", "a"))
                .server(":1\r\n")
                .play(RedisDecoder::joinedMidStream, Ending.CAPTURE_ENDED))
        .extracting(Row::requestClass, Row::departure, Row::outcome)
        .containsExactly(tuple("GET", 4L, Outcome.OK), tuple("DEL", 6L, Outcome.OK));
  }

  @Test
  void commandsThatWaitByTheirClientsWishAreMarked() {
    Script script =
        new Script()
            .client(command("blpop", "queue", "0"))
            .client(command("XREAD", "COUNT", "10", "BLOCK", "5000", "STREAMS", "s", "$"))
            .client(
                command(
                    "XREADGROUP",
                    "GROUP",
                    "g",
                    "c",
                    "COUNT",
                    "1",
                    "BLOCK",
                    "0",
                    "STREAMS",
                    "s",
                    ">"))
            .client(command("WAIT", "1", "0"))
            .client(command("XREAD", "STREAMS", "block", "$"))
            .client(command("LPOP", "queue"))
            .server("*-1\r\n*-1\r\n*-1\r\n:0\r\n*-1\r\n$-1\r\n");

    assertThat(play(script))
        .extracting(Row::requestClass)
        .containsExactly(
            "BLPOP (waits)",
            "XREAD (waits)",
            "XREADGROUP (waits)",
            "WAIT (waits)",
            "XREAD",
            "LPOP");
  }
}
