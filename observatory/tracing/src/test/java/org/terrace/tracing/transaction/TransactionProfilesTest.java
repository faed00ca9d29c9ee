package org.terrace.tracing.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Exchange;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.observation.TraceContext;
import org.terrace.tracing.transaction.ClassProfile.Call;
import org.terrace.tracing.transaction.ClassProfile.Choice;
import org.terrace.tracing.transaction.ClassProfile.Example;
import org.terrace.tracing.transaction.ClassProfile.ExampleSpan;
import org.terrace.tracing.transaction.ClassProfile.TierTime;

class TransactionProfilesTest {
  private static final long NONE = TraceContext.NO_PARENT;
  private static final long MICRO = 1_000;

  private final RequestTable.Builder builder = new RequestTable.Builder();
  private long span;

  @Test
  void callsThatCameAboutInTheSameWayAreOneNodeAndReplicasAreOneTier() {
    long first = add("web", "GET /", 0, 100, NONE, Outcome.OK);
    long app = add("app1", "GET /", 10, 90, first, Outcome.OK);
    add("db", "select", 20, 40, app, Outcome.OK);
    add("db", "select", 50, 60, app, Outcome.OK);
    long second = add("web", "GET /", 1_000, 1_060, NONE, Outcome.OK);
    add("app2", "GET /", 1_010, 1_050, second, Outcome.OK);

    ClassProfile profile = profiles().getFirst();

    assertThat(profile.count()).isEqualTo(2);
    assertThat(profile.complete()).isEqualTo(2);
    assertThat(profile.times().mean()).isEqualTo(80);
    assertThat(profile.calls())
        .extracting(
            Call::parent, Call::servers, Call::requestClass, Call::calls, Call::callsPerTransaction)
        .containsExactly(
            tuple(-1, List.of("web"), "GET /", 2L, 1.0),
            tuple(0, List.of("app1", "app2"), "GET /", 2L, 1.0),
            tuple(1, List.of("db"), "select", 2L, 1.0));
    assertThat(profile.calls())
        .extracting(Call::presence, Call::residenceMicros, Call::selfMicros)
        .containsExactly(tuple(1.0, 80.0, 20.0), tuple(1.0, 60.0, 45.0), tuple(0.5, 15.0, 15.0));
    assertThat(profile.calls().stream().mapToDouble(Call::criticalShare).sum())
        .isCloseTo(1, within(1e-9));
  }

  @Test
  void theTimeByTierAddsUpToTheMeanEvenOfCallsInParallel() {
    long first = add("web", "GET /", 0, 100, NONE, Outcome.OK);
    add("app1", "a", 10, 90, first, Outcome.OK);
    add("db", "b", 20, 95, first, Outcome.OK);

    List<TierTime> tiers = profiles().getFirst().tiers();

    assertThat(tiers.stream().mapToDouble(TierTime::micros).sum()).isCloseTo(100, within(1e-9));
    assertThat(tiers)
        .extracting(TierTime::tier, TierTime::micros)
        .containsExactly(tuple("database", 75.0), tuple("web", 25.0));
    assertThat(tiers).extracting(TierTime::low).containsOnlyNulls();
  }

  @Test
  void theIntervalHoldsTheMeanAndIsWiderWhereTransactionsDifferMore() {
    for (int i = 0; i < 400; i++) {
      long at = i * 1_000L;
      long length = i < 200 ? 100 : 500;
      long first = add("web", "GET /", at, at + length, NONE, Outcome.OK);
      add("db", "select", at + 10, at + 60, first, Outcome.OK);
    }

    List<TierTime> tiers = profiles().getFirst().tiers();

    TierTime web = tiers.get(0);
    TierTime database = tiers.get(1);
    assertThat(web.tier()).isEqualTo("web");
    assertThat(web.micros()).isCloseTo(250, within(1e-6));
    assertThat(web.low()).isBetween(100.0, 200.0);
    assertThat(web.high()).isBetween(300.0, 400.0);
    assertThat(database.low()).isCloseTo(50, within(1e-6));
    assertThat(database.high()).isCloseTo(50, within(1e-6));
  }

  @Test
  void theSlowestCompleteAMedianAndTheLongestFailedAreExamples() {
    for (int i = 1; i <= 9; i++) {
      add("web", "GET /", i * 1_000L, i * 1_000L + 10L * i, NONE, Outcome.OK);
    }
    add("web", "GET /", 20_000, 20_070, NONE, Outcome.ABORTED);
    add("web", "GET /", 30_000, 30_500, NONE, Outcome.OK);
    builder.accept(
        request("db", "select", "web", 30_100, 30_200, Outcome.OK, 99, NONE, 0, "unknown"));

    ClassProfile profile = profiles().getFirst();

    assertThat(profile.complete()).isEqualTo(10);
    assertThat(profile.failed()).isEqualTo(1);
    assertThat(profile.times().max()).isEqualTo(500);
    assertThat(profile.examples())
        .extracting(Example::choice, Example::micros, Example::complete)
        .containsExactly(
            tuple(Choice.SLOWEST, 500.0, false),
            tuple(Choice.SLOWEST_COMPLETE, 90.0, true),
            tuple(Choice.TYPICAL, 50.0, true),
            tuple(Choice.FAILED, 70.0, true));
  }

  @Test
  void anExampleNamesItsPacketsAndLeavesOutItsShortestRequests() {
    long first = add("web", "GET /", 0, 10_000, NONE, Outcome.OK);
    long app = add("app1", "GET /", 10, 9_990, first, Outcome.OK);
    for (int i = 0; i < 50; i++) {
      add("db", "select", 20 + i * 100L, 30 + i * 100L + i, app, Outcome.OK);
    }

    Example example = profiles().getFirst().examples().getFirst();

    assertThat(example.spans()).hasSize(ExampleChoice.SPANS_MAX);
    assertThat(example.spansLeftOut()).isEqualTo(52 - ExampleChoice.SPANS_MAX);
    assertThat(example.spans()).extracting(ExampleSpan::parent).startsWith(-1, 0, 1, 1);
    assertThat(example.spans().get(2).micros()).isEqualTo(22);
    assertThat(example.displayFilter())
        .isEqualTo(
            "frame.number >= 10 && frame.number <= 529 && tcp.port in {40001, 40002, 40003}");
  }

  @Test
  void manyKindsOfCallsAreGatheredAndOnlyTheLongestAreListed() {
    long first = add("web", "GET /", 0, 100_000_000, NONE, Outcome.OK);
    for (int i = 0; i < CallAggregate.NODES_MAX + 500; i++) {
      add("db", "select " + i, 10 + i * 1_000L, 20 + i * 1_000L + i, first, Outcome.OK);
    }

    ClassProfile profile = profiles().getFirst();

    assertThat(profile.calls()).hasSize(CallAggregate.LISTED_MAX);
    assertThat(profile.callsLeftOut())
        .isEqualTo(CallAggregate.NODES_MAX + 1 - CallAggregate.LISTED_MAX);
    assertThat(profile.calls().get(1).requestClass()).as("gathered").isEmpty();
    assertThat(profile.calls().get(1).calls()).isEqualTo(501);
  }

  @Test
  void requestsWithoutTransactionsHaveNone() {
    assertThat(
            TransactionProfiles.of(
                new Observation(List.of(), RequestTable.empty(), List.of(), List.of()), 0, 1))
        .isEmpty();
  }

  @Test
  void theSlowestWithAKnownCallIsShownEvenWhereCallsMayBeMissing() {
    long slow = add("web", "GET /", 0, 900, NONE, Outcome.OK);
    add("app1", "GET /", 10, 890, slow, Outcome.OK);
    builder.accept(request("db", "select", "app1", 100, 200, Outcome.OK, 99, NONE, 0, "unknown"));
    long quick = add("web", "GET /", 1_000, 1_100, NONE, Outcome.OK);
    add("app1", "GET /", 1_010, 1_090, quick, Outcome.OK);

    ClassProfile profile = profiles().getFirst();

    assertThat(profile.completeMicros()).isEqualTo(100);
    assertThat(profile.examples())
        .extracting(Example::choice, Example::micros, Example::complete)
        .containsExactly(
            tuple(Choice.SLOWEST, 900.0, false), tuple(Choice.SLOWEST_COMPLETE, 100.0, true));
  }

  @Test
  void onlyTransactionsThatBeginInTheStretchAreProfiled() {
    add("web", "GET /", 0, 100, NONE, Outcome.OK);
    add("web", "GET /", 200, 300, NONE, Outcome.OK);

    List<ClassProfile> profiles = TransactionProfiles.of(observation(), 150 * MICRO, 1_000 * MICRO);

    assertThat(profiles).extracting(ClassProfile::count).containsExactly(1L);
  }

  @Test
  void theTimeOfAllRequestsIsTheirSumLessThatOfTheirCalls() {
    add("web", "GET /", 0, 100, NONE, Outcome.OK);
    builder.accept(request("app1", "GET /", "web", 10, 80, Outcome.OK, 98, NONE, 0, "unknown"));
    builder.accept(request("db", "select", "app1", 20, 60, Outcome.OK, 99, NONE, 0, "unknown"));
    add("web", "GET /", 200, 300, NONE, Outcome.OK);

    assertThat(TierSums.of(observation(), 0, Long.MAX_VALUE))
        .extracting(TierTime::tier, TierTime::micros, TierTime::share)
        .containsExactly(
            tuple("web", 65.0, 0.65), tuple("database", 20.0, 0.2), tuple("app", 15.0, 0.15));
  }

  @Test
  void callsThatOverlapLeaveTheSumsUntold() {
    add("web", "GET /", 0, 100, NONE, Outcome.OK);
    builder.accept(request("app1", "a", "web", 10, 80, Outcome.OK, 98, NONE, 0, "unknown"));
    builder.accept(request("app1", "b", "web", 10, 80, Outcome.OK, 99, NONE, 0, "unknown"));

    assertThat(TierSums.of(observation(), 0, Long.MAX_VALUE)).isEmpty();
  }

  private List<ClassProfile> profiles() {
    return TransactionProfiles.of(observation(), 0, Long.MAX_VALUE);
  }

  private Observation observation() {
    return new Observation(
        List.of(
            new Server("web", "web", List.of()),
            new Server("app1", "app", List.of()),
            new Server("app2", "app", List.of()),
            new Server("db", "database", List.of())),
        builder.build(),
        List.of(),
        List.of(),
        List.of(connection(1), connection(2), connection(3)));
  }

  private static ObservedConnection connection(int number) {
    return new ObservedConnection(
        number,
        "web",
        "10.0.0.9:" + (40_000 + number),
        "10.0.0.1:80",
        "HTTP/1.1",
        "test",
        ObservedConnection.UNKNOWN,
        1,
        1_000,
        0,
        1,
        ObservedConnection.Beginning.OPENED,
        ObservedConnection.Ending.OPEN,
        0,
        0,
        1);
  }

  private long add(
      String server, String requestClass, long from, long to, long parent, Outcome outcome) {
    String client =
        switch (server) {
          case "web" -> "users";
          case "db" -> parent == NONE ? "users" : "app1";
          default -> "web";
        };
    span++;
    builder.accept(
        request(server, requestClass, client, from, to, outcome, span, parent, 1, "timing"));
    return span;
  }

  private static Request request(
      String server,
      String requestClass,
      String client,
      long from,
      long to,
      Outcome outcome,
      long span,
      long parent,
      double confidence,
      String source) {
    int connection = server.equals("web") ? 1 : server.startsWith("app") ? 2 : 3;
    return new Request(
        server,
        requestClass,
        client,
        from * MICRO,
        from * MICRO,
        to * MICRO,
        0,
        0,
        outcome,
        connection,
        new Exchange(Exchange.UNKNOWN, Exchange.UNKNOWN, span * 10, span * 10 + 9),
        new TraceContext(1, span, parent, confidence, source));
  }
}
