package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.ConversationReader;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.tcp.Connection;
import org.terrace.wire.tcp.Conversation;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;
import org.terrace.wire.tcp.TcpLimits;
import org.terrace.wire.tcp.TrafficTable;

/** The words of a real MariaDB server and its JDBC driver, cut at every byte. */
class RealMariaDbTest {
  private static final int LONGEST_CUT_EVERYWHERE = 12_000;

  /** One stretch of bytes of one side. */
  private record Said(boolean fromClient, byte[] bytes) {}

  private static List<List<Said>> conversations() {
    List<List<Said>> conversations = new ArrayList<>();
    ConversationReader reader =
        new ConversationReader(
            new TcpLimits(1_000, 1 << 20, 1 << 20, 1L << 60),
            16,
            new Counters(),
            new HostNames(),
            new TrafficTable(),
            connection -> {
              List<Said> said = new ArrayList<>();
              conversations.add(said);
              return recorder(connection, said);
            });
    reader.read(CaptureSource.stream("test", capture()));
    reader.end();
    return conversations;
  }

  private static InputStream capture() {
    try (InputStream input = RealMariaDbTest.class.getResourceAsStream("/captures/mariadb.pcap")) {
      return new ByteArrayInputStream(Objects.requireNonNull(input).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Conversation recorder(Connection connection, List<Said> said) {
    return new Conversation() {
      @Override
      public void data(int direction, byte[] bytes, int from, int to, Moment moment) {
        boolean fromClient = direction == connection.openerDirection();
        said.add(new Said(fromClient, Arrays.copyOfRange(bytes, from, to)));
      }

      @Override
      public void missing(int direction, long byteCount, Moment moment) {
        throw new AssertionError(byteCount + " bytes are missing");
      }

      @Override
      public void finished(int direction, Moment moment) {}

      @Override
      public void end(Ending ending, Moment moment) {}
    };
  }

  /** The first bytes of a conversation, in pieces of at most so many bytes. */
  private static Script script(List<Said> conversation, int bytes, int pieceBytesMax) {
    Script script = new Script();
    int left = bytes;
    for (Said said : conversation) {
      int count = Math.min(left, said.bytes.length);
      for (int at = 0; at < count; at += pieceBytesMax) {
        byte[] piece = Arrays.copyOfRange(said.bytes, at, Math.min(count, at + pieceBytesMax));
        if (said.fromClient) {
          script.client(piece);
        } else {
          script.server(piece);
        }
      }
      left -= count;
    }
    return script;
  }

  private static int length(List<Said> conversation) {
    return conversation.stream().mapToInt(said -> said.bytes.length).sum();
  }

  /** What a request is, but for its times. */
  private static List<String> requests(Script script) {
    return script.play(MySqlDecoder::new, Ending.CAPTURE_ENDED).stream()
        .map(RealMariaDbTest::withoutTimes)
        .toList();
  }

  private static String withoutTimes(Row row) {
    return row.requestClass() + " " + row.bytesIn() + " " + row.bytesOut() + " " + row.outcome();
  }

  @Test
  void bytesOneByOneGiveTheSameRequests() {
    for (List<Said> conversation : conversations()) {
      int length = length(conversation);

      assertThat(requests(script(conversation, length, 1)))
          .isEqualTo(requests(script(conversation, length, Integer.MAX_VALUE)));
    }
  }

  @Test
  void captureThatEndsAtAnyByteHasTheRequestsThatWereAnswered() {
    int cuts = 0;
    for (List<Said> conversation : conversations()) {
      int length = length(conversation);
      if (length > LONGEST_CUT_EVERYWHERE) {
        continue;
      }
      List<String> whole = requests(script(conversation, length, Integer.MAX_VALUE));
      int answered = 0;
      for (int cut = 0; cut <= length; cut++) {
        List<Row> rows =
            script(conversation, cut, Integer.MAX_VALUE)
                .play(MySqlDecoder::new, Ending.CAPTURE_ENDED);
        List<String> complete =
            rows.stream()
                .filter(row -> row.outcome() == Outcome.OK || row.outcome() == Outcome.ERROR)
                .map(RealMariaDbTest::withoutTimes)
                .filter(row -> !row.contains(" turn "))
                .toList();
        assertThat(complete)
            .as("cut at " + cut)
            .isEqualTo(whole.subList(0, Math.min(whole.size(), complete.size())));
        assertThat(complete.size()).isGreaterThanOrEqualTo(answered);
        answered = complete.size();
        cuts++;
      }
    }
    assertThat(cuts).isGreaterThan(5_000);
  }

  @Test
  void everyKindOfConversationIsThere() {
    List<String> classes =
        conversations().stream()
            .map(conversation -> script(conversation, length(conversation), Integer.MAX_VALUE))
            .flatMap(script -> script.play(MySqlDecoder::new, Ending.CAPTURE_ENDED).stream())
            .map(Row::requestClass)
            .toList();

    assertThat(classes)
        .contains(
            "CALL two()",
            "LOAD DATA LOCAL INFILE ? INTO TABLE items",
            "SELECT ?; SELECT ?; UPDATE items SET price = ? WHERE id = ?; SELECT name FROM items",
            "PREPARE SELECT name FROM items WHERE id = ?",
            "PING",
            "compressed turn",
            "TLS turn")
        .doesNotContain("(prepared before the capture)");
    assertThat(classes).filteredOn("CONNECT"::equals).hasSize(6);
    assertThat(classes).filteredOn("SELECT name FROM items WHERE id = ?"::equals).hasSize(6);
  }
}
