package org.terrace.protocols.correlated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.protocols.decoder.Protocol.Match;
import org.terrace.protocols.decoder.Protocol.Side;
import org.terrace.protocols.decoder.RecordedConversation;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.testing.Seeds;
import org.terrace.wire.tcp.Conversation.Ending;

class CorrelatedDecoderTest {
  private static final int CASES = 1_000;
  private static final int DAMAGED_CASES = 3_000;
  private static final Protocol MONGO = new MongoProtocol();
  private static final Protocol MEMCACHED = new MemcachedProtocol();

  private static List<Row> play(Protocol protocol, Script script) {
    return script.play(
        (context, output) -> protocol.decoder(context, output, Entry.BEGINNING),
        Ending.CAPTURE_ENDED);
  }

  private static Script conversation() {
    Script script = new Script();
    for (int i = 0; i < 5; i++) {
      script
          .client(MongoMessages.command(2 * i + 1, "find", 300))
          .client(MongoMessages.command(2 * i + 2, "insert", 0))
          .server(MongoMessages.reply(2 * i + 2, 1.0, 10))
          .server(MongoMessages.reply(2 * i + 1, 0.0, 700));
    }
    return script;
  }

  @Test
  void answersFindTheirRequestsByIdInWhateverOrder() {
    assertThat(
            play(
                MONGO,
                new Script()
                    .client(MongoMessages.command(7, "find", 0))
                    .client(MongoMessages.command(8, "aggregate", 0))
                    .server(MongoMessages.reply(8, 1.0, 100))
                    .server(MongoMessages.reply(7, 0.0, 0))))
        .extracting(Row::requestClass, Row::arrival, Row::departure, Row::outcome)
        .containsExactly(
            tuple("aggregate", 1L, 2L, Outcome.OK), tuple("find", 0L, 3L, Outcome.ERROR));
  }

  @Test
  void requestsThatAskForNoAnswerAreNoneAndAnswersThatFollowAnswerNobody() {
    assertThat(
            play(
                MONGO,
                new Script()
                    .client(MongoMessages.message(5, 0, 2, "insert", 1.0, 0))
                    .client(MongoMessages.command(6, "hello", 0))
                    .server(MongoMessages.message(100, 6, 2, "ok", 1.0, 0))
                    .server(MongoMessages.message(101, 100, 2, "ok", 1.0, 0))
                    .client(MongoMessages.command(7, "ping", 0))
                    .server(MongoMessages.reply(7, 1.0, 0))))
        .extracting(Row::requestClass, Row::departure)
        .containsExactly(tuple("hello", 2L), tuple("ping", 5L));
  }

  @Test
  void requestsOfOneIdAreAnsweredInTheirOrder() {
    List<Row> rows =
        RecordedConversation.of("memcached.pcap").stream()
            .flatMap(conversation -> play(MEMCACHED, conversation.script()).stream())
            .toList();

    assertThat(rows).extracting(Row::requestClass).contains("STAT", "GETK", "TOUCH", "QUIT");
    assertThat(rows).filteredOn(row -> row.requestClass().equals("GET")).hasSize(13);
    assertThat(rows)
        .filteredOn(row -> row.outcome() != Outcome.OK)
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(tuple("INCREMENT", Outcome.ERROR));
  }

  @Test
  void captureThatEndsAtAnyByteHasTheRequestsThatWereAnswered() {
    for (RecordedConversation conversation : RecordedConversation.of("memcached.pcap")) {
      List<String> whole = answered(play(MEMCACHED, conversation.script()));
      for (int cut = 1; cut <= conversation.length(); cut += cut < 1_000 ? 1 : 61) {
        List<String> rows = answered(play(MEMCACHED, conversation.script(cut, Integer.MAX_VALUE)));
        assertThat(rows).as("cut at " + cut).isEqualTo(whole.subList(0, rows.size()));
      }
    }
  }

  private static List<String> answered(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.outcome() != Outcome.UNFINISHED)
        .map(RecordedConversation::withoutTimes)
        .toList();
  }

  @Test
  void moreRequestsThanMayWaitDisplaceTheEldest() {
    Script script = new Script();
    for (int i = 0; i <= CorrelatedDecoder.WAITING_MAX; i++) {
      script.client(MongoMessages.command(i + 1, "find", 0));
    }
    script.server(MongoMessages.reply(CorrelatedDecoder.WAITING_MAX + 1, 1.0, 0));

    List<Row> rows = play(MONGO, script);

    assertThat(rows).hasSize(CorrelatedDecoder.WAITING_MAX + 1);
    assertThat(rows).filteredOn(row -> row.outcome() == Outcome.OK).hasSize(1);
  }

  @Test
  void anySegmentationGivesTheSameRequests() {
    List<Row> whole = play(MONGO, conversation());
    RandomGenerator random = Seeds.generator(Seeds.next("correlated-segmentation"));
    for (int i = 0; i < CASES; i++) {
      assertThat(
              conversation()
                  .play(
                      (context, output) -> MONGO.decoder(context, output, Entry.BEGINNING),
                      Ending.CAPTURE_ENDED,
                      random,
                      0))
          .isEqualTo(whole);
    }
    assertThat(whole).hasSize(10).allMatch(row -> row.outcome() != Outcome.UNFINISHED);
  }

  @Test
  void damageNeverFails() {
    RandomGenerator random = Seeds.generator(Seeds.next("correlated-damage"));
    List<Script> scripts =
        List.of(conversation(), RecordedConversation.of("memcached.pcap").getFirst().script());
    List<Protocol> protocols = List.of(MONGO, MEMCACHED);
    for (int i = 0; i < DAMAGED_CASES; i++) {
      Protocol protocol = protocols.get(i % 2);
      Entry entry = i % 3 == 0 ? Entry.MID_STREAM : Entry.BEGINNING;
      assertThat(
              scripts
                  .get(i % 2)
                  .play(
                      (context, output) -> protocol.decoder(context, output, entry),
                      Ending.CLOSED,
                      random,
                      random.nextDouble(0.3)))
          .hasSizeLessThan(100);
    }
  }

  @Test
  void firstBytesAndSegmentsTellTheProtocol() {
    byte[] find = MongoMessages.command(7, "find", 0);
    byte[] reply = MongoMessages.reply(7, 1.0, 0);

    assertThat(MONGO.ofClientStart(find, 0, 10)).isEqualTo(Match.MORE);
    assertThat(MONGO.ofClientStart(find, 0, find.length)).isEqualTo(Match.YES);
    assertThat(MONGO.senderOf(find, 0, find.length)).isEqualTo(Side.CLIENT);
    assertThat(MONGO.senderOf(reply, 0, reply.length)).isEqualTo(Side.SERVER);
    assertThat(MONGO.senderOf(reply, 1, reply.length)).isNull();
    byte[] record = {(byte) 0x80, 0x2e, 1, 3, 1, 0, 0, 0};
    assertThat(MEMCACHED.ofClientStart(record, 0, record.length)).isEqualTo(Match.NO);
  }

  @Test
  void connectionJoinedMidwayIsReadFromItsNextMessage() {
    assertThat(
            new Script()
                .server("rest of an answer")
                .client(MongoMessages.command(9, "find", 20))
                .server(MongoMessages.reply(9, 1.0, 20))
                .play(
                    (context, output) -> MONGO.decoder(context, output, Entry.MID_STREAM),
                    Ending.CAPTURE_ENDED))
        .extracting(Row::requestClass, Row::outcome)
        .containsExactly(tuple("find", Outcome.OK));
  }
}
