package org.terrace.protocols.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.RecordedConversation;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.tcp.Conversation.Ending;

/** The words of a real Redis 7 and its clients, cut at every byte. */
class RecordedRedisTest {
  private static final int LONGEST_CUT_EVERYWHERE = 3_000;

  private static List<Row> rows(Script script) {
    return script.play(RedisDecoder::new, Ending.CAPTURE_ENDED);
  }

  private static List<String> requests(List<Row> rows) {
    return rows.stream().map(RecordedConversation::withoutTimes).toList();
  }

  @Test
  void bytesOneByOneGiveTheSameRequests() {
    for (RecordedConversation conversation : RecordedConversation.of("redis.pcap")) {
      assertThat(requests(rows(conversation.script(conversation.length(), 1))))
          .isEqualTo(requests(rows(conversation.script())));
    }
  }

  @Test
  void captureThatEndsAtAnyByteHasTheRequestsThatWereAnswered() {
    int cuts = 0;
    for (RecordedConversation conversation : RecordedConversation.of("redis.pcap")) {
      List<String> whole = requests(rows(conversation.script()));
      int length = Math.min(conversation.length(), LONGEST_CUT_EVERYWHERE);
      int answered = 0;
      for (int cut = 0; cut <= length; cut++) {
        List<Row> rows = rows(conversation.script(cut, Integer.MAX_VALUE));
        List<String> complete =
            requests(rows.stream().filter(row -> row.outcome() != Outcome.UNFINISHED).toList());
        assertThat(complete).as("cut at " + cut).isEqualTo(whole.subList(0, complete.size()));
        assertThat(complete.size()).isGreaterThanOrEqualTo(answered);
        assertThat(rows.size() - complete.size()).isLessThanOrEqualTo(20);
        answered = complete.size();
        cuts++;
      }
    }
    assertThat(cuts).isGreaterThan(5_000);
  }

  @Test
  void everyKindOfConversationIsThere() {
    List<String> classes =
        RecordedConversation.of("redis.pcap").stream()
            .flatMap(conversation -> rows(conversation.script()).stream())
            .map(Row::requestClass)
            .toList();

    assertThat(classes)
        .contains("EXEC", "EVAL", "HELLO", "CLIENT TRACKING", "MONITOR", "BLPOP (waits)", "PSYNC")
        .contains("SUBSCRIBE", "PSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "PUBLISH");
    assertThat(classes).filteredOn("CLIENT REPLY"::equals).hasSize(1);
  }
}
