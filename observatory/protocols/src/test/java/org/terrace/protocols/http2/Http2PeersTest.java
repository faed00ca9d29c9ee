package org.terrace.protocols.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.RecordingRelay;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.tcp.Conversation.Ending;

/** The words of gRPC's, Tomcat's and the JDK's own implementations. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(60)
class Http2PeersTest {
  private static final int TIMES = 20;

  private static Map<String, Long> counts(List<Row> rows) {
    return rows.stream()
        .map(row -> row.requestClass() + " " + row.outcome())
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  @Test
  void callsOfEveryKindAreRequests() throws Exception {
    List<Script> conversations;
    try (GrpcPeer peer = new GrpcPeer();
        RecordingRelay relay = RecordingRelay.to(peer.port())) {
      peer.call(relay.port(), TIMES);
      conversations = relay.conversations();
    }

    List<Row> rows =
        conversations.stream()
            .flatMap(script -> script.play(Http2Decoder::new, Ending.CLOSED).stream())
            .toList();

    assertThat(counts(rows))
        .isEqualTo(
            Map.of(
                "gRPC /example.Echo/Say OK", 2L * TIMES + 1,
                "gRPC /example.Echo/Fail ERROR", 1L,
                "gRPC /example.Echo/Count OK", 1L,
                "gRPC /example.Echo/Sum OK", 1L,
                "gRPC /example.Echo/Chat OK", 1L,
                "gRPC /example.Echo/Wait ABORTED", 1L));
  }

  @Test
  void callsOfAConnectionJoinedMidwayAreCountedAndNamedWhereTheirNameIsSeen() throws Exception {
    List<Script> conversations;
    try (GrpcPeer peer = new GrpcPeer();
        RecordingRelay relay = RecordingRelay.to(peer.port())) {
      peer.call(relay.port(), TIMES);
      conversations = relay.conversations();
    }
    Script whole = conversations.getFirst();
    List<Row> expected = whole.play(Http2Decoder::new, Ending.CLOSED);

    int named = 0;
    for (int from = 2; from < whole.lines(); from++) {
      Script rest = whole.from(from);
      List<Row> rows = rest.play(Http2Decoder::joinedMidStream, Ending.CLOSED);

      assertThat(rows).hasSizeLessThanOrEqualTo(expected.size());
      assertThat(rows)
          .extracting(Row::requestClass)
          .allMatch(name ->
              name.equals("(path sent before the capture)")
                  || name.startsWith("gRPC /example.Echo/"));
      named += (int) rows.stream().filter(row -> row.requestClass().startsWith("gRPC")).count();
    }
    assertThat(named).isPositive();
  }

  @Test
  void upgradedRequestIsAnsweredBehindTheUpgrade(@TempDir Path directory) throws Exception {
    List<Script> conversations;
    try (TomcatPeer peer = new TomcatPeer(directory);
        RecordingRelay relay = RecordingRelay.to(peer.port())) {
      TomcatPeer.ask(relay.port(), TIMES);
      conversations = relay.conversations();
    }

    List<Row> rows =
        conversations.stream()
            .flatMap(script -> script.play(List.of(new Http2Protocol()), Ending.CLOSED).stream())
            .toList();

    assertThat(rows)
        .filteredOn(row -> row.requestClass().equals("GET /first"))
        .singleElement()
        .extracting(Row::outcome, row -> row.bytesOut() > 300)
        .isEqualTo(tuple(Outcome.OK, true).toList());
    assertThat(counts(rows))
        .isEqualTo(
            Map.of(
                "GET /first OK", 1L,
                "GET /items/{n}?user={s} OK", (long) TIMES,
                "POST /items/{n}?user={s} OK", (long) TIMES,
                "PUT /large OK", (long) TIMES,
                "GET /missing ERROR", 1L));
  }
}
