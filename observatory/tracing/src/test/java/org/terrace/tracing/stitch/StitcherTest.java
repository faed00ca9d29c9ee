package org.terrace.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.observation.TraceContext;

/** Small tables whose parents anybody can tell, or nobody. */
class StitcherTest {
  private final RequestTable.Builder builder = new RequestTable.Builder();

  @Test
  void callsWithinOneRequestAreItsOwn() {
    add("web", "GET", "browser", 0, 1_000, 1);
    add("app", "GET", "web", 100, 900, 2);
    add("db", "SELECT", "app", 200, 300, 3);
    add("db", "SELECT", "app", 400, 500, 3);
    add("web", "GET", "browser", 2_000, 3_000, 1);
    add("app", "GET", "web", 2_100, 2_900, 2);

    RequestTable stitched = Stitcher.stitch(builder.build());

    assertThat(parents(stitched)).containsExactly(-1L, 1L, 2L, 2L, -1L, 5L);
    assertThat(transactions(stitched)).containsExactly(1L, 1L, 1L, 1L, 5L, 5L);
    assertThat(trace(stitched, 0).source()).isEqualTo("entry");
    assertThat(trace(stitched, 3).source()).isEqualTo("nesting");
    assertThat(trace(stitched, 3).confidence()).isBetween(0.9, 1.0);
  }

  @Test
  void whereTwoRequestsAreAlikeNoneIsAsserted() {
    add("web", "GET", "browser", 0, 1_000, 1);
    add("web", "GET", "browser", 0, 1_000, 2);
    add("app", "GET", "web", 100, 900, 3);
    add("app", "GET", "web", 100, 900, 4);

    RequestTable stitched = Stitcher.stitch(builder.build());

    assertThat(parents(stitched)).containsExactly(-1L, -1L, -1L, -1L);
    assertThat(trace(stitched, 2).source()).isEqualTo("unknown");
    assertThat(trace(stitched, 2).confidence()).isZero();
    assertThat(transactions(stitched)).doesNotHaveDuplicates();
  }

  @Test
  void whatIsBetweenBeginAndCommitLiesWithinOneRequest() {
    add("app", "POST", "web", 0, 1_000, 1);
    add("app", "GET", "web", 50, 640, 2);
    add("db", "BEGIN", "app", 100, 110, 3);
    add("db", "UPDATE", "app", 200, 300, 3);
    add("db", "COMMIT", "app", 700, 800, 3);

    RequestTable stitched = Stitcher.stitch(builder.build());

    // Without the block, BEGIN and UPDATE lie within both requests.
    assertThat(parents(stitched)).containsExactly(-1L, -1L, 1L, 1L, 1L);
  }

  @Test
  void aCallThatOutlivesAllRequestsOfItsCallerHasNoParent() {
    add("app", "POST", "web", 0, 1_000, 1);
    add("db", "DELETE", "app", 500, 5_000, 2);

    assertThat(parents(Stitcher.stitch(builder.build()))).containsExactly(-1L, -1L);
  }

  @Test
  void whatClientsMeasuredIsNeitherReadNorChanged() {
    add(Server.CLIENTS, "GET", "user", 0, 1_100, 1);
    add("web", "GET", Server.CLIENTS, 50, 1_000, 1);

    RequestTable stitched = Stitcher.stitch(builder.build());

    assertThat(stitched.trace(0)).isNull();
    assertThat(trace(stitched, 1).parent()).isEqualTo(TraceContext.NO_PARENT);
    assertThat(trace(stitched, 1).source()).isEqualTo("entry");
  }

  @Test
  void aTableWithTransactionsIsLeftAlone() {
    add("web", "GET", "browser", 0, 1_000, 1);
    RequestTable stitched = Stitcher.stitch(builder.build());

    assertThat(Stitcher.stitch(stitched)).isSameAs(stitched);
    assertThat(Stitcher.isTooLarge(stitched)).isFalse();
  }

  @Test
  void whoseTransactionTheBytesNameIsTheParent() {
    named("web", "GET", "browser", 0, 1_000, 1, 7);
    named("web", "GET", "browser", 0, 1_000, 2, 8);
    named("app", "GET", "web", 100, 900, 3, 8);
    named("app", "GET", "web", 100, 900, 4, 7);

    RequestTable stitched = Stitcher.stitch(builder.build());

    // Without identifiers nobody could tell.
    assertThat(parents(stitched)).containsExactly(-1L, -1L, 2L, 1L);
    assertThat(trace(stitched, 2).source()).isEqualTo("identifier");
    assertThat(trace(stitched, 2).confidence()).isBetween(0.99, 1.0);
  }

  @Test
  void aCallThatOutlivesItsRequestIsTheirsIfTheirBytesSaySo() {
    named("app", "POST", "web", 0, 1_000, 1, 7);
    named("db", "DELETE", "app", 500, 5_000, 2, 7);

    assertThat(parents(Stitcher.stitch(builder.build()))).containsExactly(-1L, 1L);
  }

  @Test
  void anIdentifierThatComesAgainAndAgainMergesNoStrangers() {
    long hour = 3_600_000_000L;
    // A client that sends one traceparent with everything; and a call of somebody whom nobody saw,
    // within the request of another client.
    named("web", "GET", "browser", 0, 1_000, 1, 7);
    named("web", "GET", "browser", hour, hour + 1_000, 1, 7);
    named("web", "GET", "other", hour, hour + 1_000, 2, 0);
    named("app", "GET", "web", hour + 100, hour + 900, 3, 7);

    RequestTable stitched = Stitcher.stitch(builder.build());

    assertThat(trace(stitched, 3).source()).isNotEqualTo("identifier");
    assertThat(transactions(stitched).subList(0, 3)).doesNotHaveDuplicates();
  }

  @Test
  void oneRequestHasOnlySoManyCallsByItsIdentifier() {
    int calls = NamedTransactions.CALLS_MAX + 50;
    named("web", "GET", "browser", 0, 100_000, 1, 7);
    named("web", "GET", "browser", 0, 100_000, 2, 0);
    for (int i = 0; i < calls; i++) {
      named("app", "GET", "web", 10 + 20 * i, 20 + 20 * i, 3, 7);
    }

    RequestTable stitched = Stitcher.stitch(builder.build());

    assertThat(
            IntStream.range(0, stitched.size())
                .filter(row -> trace(stitched, row).source().equals("identifier"))
                .count())
        .isEqualTo(NamedTransactions.CALLS_MAX);
  }

  @Test
  void requestsThatSeemToCallEachOtherDoNotEndInACircle() {
    add("a", "GET", "b", 0, 1_000, 1);
    add("b", "GET", "a", 0, 1_000, 2);

    assertThat(parents(Stitcher.stitch(builder.build()))).contains(-1L);
  }

  private void add(
      String server, String kind, String client, long start, long end, int connection) {
    named(server, kind, client, start, end, connection, 0);
  }

  private void named(
      String server,
      String kind,
      String client,
      long start,
      long end,
      int connection,
      long identifier) {
    long micro = 1_000;
    builder.accept(
        new Request(
            server,
            kind,
            client,
            start * micro,
            start * micro,
            end * micro,
            10,
            10,
            Outcome.OK,
            connection,
            Exchange.NONE,
            identifier,
            null));
  }

  private static List<Long> parents(RequestTable table) {
    return IntStream.range(0, table.size())
        .mapToObj(row -> trace(table, row).parent())
        .map(parent -> parent == TraceContext.NO_PARENT ? -1L : parent)
        .toList();
  }

  private static List<Long> transactions(RequestTable table) {
    return IntStream.range(0, table.size())
        .mapToObj(row -> trace(table, row).transaction())
        .toList();
  }

  private static TraceContext trace(RequestTable table, int row) {
    return Objects.requireNonNull(table.trace(row));
  }
}
