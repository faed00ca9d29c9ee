package org.terrace.protocols.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.observation.ValueSketch;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.tcp.Conversation.Ending;

/** The words of a real MariaDB server and its JDBC driver, cut at every byte. */
class RealMariaDbTest {
  private static final int LONGEST_CUT_EVERYWHERE = 12_000;

  /** The requests of a script, without their times. */
  private static List<String> requests(Script script) {
    return script.play(MySqlDecoder::new, Ending.CAPTURE_ENDED).stream()
        .map(RecordedConversation::withoutTimes)
        .toList();
  }

  @Test
  void bytesOneByOneGiveTheSameRequests() {
    for (RecordedConversation conversation : RecordedConversation.of("mariadb.pcap")) {
      int length = conversation.length();

      assertThat(requests(conversation.script(length, 1)))
          .isEqualTo(requests(conversation.script()));
    }
  }

  @Test
  void captureThatEndsAtAnyByteHasTheRequestsThatWereAnswered() {
    int cuts = 0;
    for (RecordedConversation conversation : RecordedConversation.of("mariadb.pcap")) {
      int length = conversation.length();
      if (length > LONGEST_CUT_EVERYWHERE) {
        continue;
      }
      List<String> whole = requests(conversation.script());
      int answered = 0;
      for (int cut = 0; cut <= length; cut++) {
        List<Row> rows =
            conversation
                .script(cut, Integer.MAX_VALUE)
                .play(MySqlDecoder::new, Ending.CAPTURE_ENDED);
        List<String> complete =
            rows.stream()
                .filter(row -> row.outcome() == Outcome.OK || row.outcome() == Outcome.ERROR)
                .map(RecordedConversation::withoutTimes)
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
        RecordedConversation.of("mariadb.pcap").stream()
            .map(RecordedConversation::script)
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
            "SELECT REPEAT(?), id FROM items",
            "TLS turn")
        .doesNotContain("(prepared before the capture)");
    assertThat(classes).filteredOn("CONNECT"::equals).hasSize(6);
    assertThat(classes).filteredOn("SELECT name FROM items WHERE id = ?"::equals).hasSize(6);
  }

  /** MariaDB's driver sent twenty rows at once, those of the numbers 200 to 219 and 300 to 319. */
  @Test
  void rowsThatWereSentTogetherCarryTheirNumbers() {
    List<Long> carried = new ArrayList<>();
    for (RecordedConversation conversation : RecordedConversation.of("mariadb.pcap")) {
      List<Row> rows = conversation.script().play(MySqlDecoder::new, Ending.CAPTURE_ENDED);
      List<Long> sketches = conversation.script().carriedValues(MySqlDecoder::new);
      IntStream.range(0, rows.size())
          .filter(i -> rows.get(i).requestClass().equals("INSERT INTO items VALUES (?, ?)"))
          .mapToObj(sketches::get)
          .forEach(carried::add);
    }

    assertThat(carried).containsExactlyInAnyOrder(numbers(200, 220), numbers(300, 320));
  }

  private static long numbers(int from, int to) {
    return LongStream.range(from, to).reduce(ValueSketch.NONE, ValueSketch::add);
  }
}
