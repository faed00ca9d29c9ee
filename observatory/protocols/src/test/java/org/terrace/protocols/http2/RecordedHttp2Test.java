package org.terrace.protocols.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.RecordedConversation;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.tcp.Conversation.Ending;

/** The words of gRPC, Tomcat, the JDK's client and curl, cut at every byte. */
class RecordedHttp2Test {
  /** Every byte of the beginning, then every so many bytes, to bound the time. */
  private static final int EVERY_BYTE_UP_TO = 4_000;

  private static final int STEP = 97;

  private static List<Row> rows(Script script) {
    return script.play(List.of(new Http2Protocol()), Ending.CAPTURE_ENDED);
  }

  private static List<String> requests(List<Row> rows) {
    return rows.stream().map(RecordedConversation::withoutTimes).toList();
  }

  @Test
  void bytesOneByOneGiveTheSameRequests() {
    for (RecordedConversation conversation : RecordedConversation.of("http2.pcap")) {
      assertThat(requests(rows(conversation.script(conversation.length(), 1))))
          .isEqualTo(requests(rows(conversation.script())));
    }
  }

  @Test
  void captureThatEndsAtAnyByteHasTheRequestsThatWereAnswered() {
    int cuts = 0;
    for (RecordedConversation conversation : RecordedConversation.of("http2.pcap")) {
      List<String> whole = requests(rows(conversation.script()));
      int length = conversation.length();
      int[] ends =
          IntStream.rangeClosed(1, length)
              .filter(cut -> cut < EVERY_BYTE_UP_TO || cut % STEP == 0)
              .toArray();
      int answered = 0;
      for (int cut : ends) {
        List<Row> rows = rows(conversation.script(cut, Integer.MAX_VALUE));
        List<String> complete =
            requests(
                rows.stream()
                    .filter(row -> row.outcome() != Outcome.UNFINISHED)
                    .filter(row -> !row.requestClass().contains("turn"))
                    .toList());
        List<String> expected = whole.subList(0, Math.min(whole.size(), complete.size()));
        // The answer to an upgrade stands for the request until the other protocol begins.
        if (!complete.equals(expected)) {
          assertThat(complete).as("cut at " + cut).singleElement().asString().contains("GET");
        }
        assertThat(complete.size()).isGreaterThanOrEqualTo(answered - 1);
        answered = complete.size();
        cuts++;
      }
    }
    assertThat(cuts).isGreaterThan(8_000);
  }
}
