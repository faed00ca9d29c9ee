package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TransactionProfile.TierTime;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

class StitchedObservationTest {
  private static final long START = 1_790_000_000_000_000_000L;

  @Test
  void aTrialWithTooManyCallsIsNotStitchedAndSaysSo() {
    List<String> limits = new ArrayList<>();

    StitchedObservation input =
        StitchedObservation.ofTrial(chains(StitchedObservation.TRIAL_CALLS_MAX + 1), limits);

    assertThat(limits).singleElement().asString().contains("300,001 calls", "terrace analyze");
    assertThat(input.findings().reason()).isEqualTo(limits.getFirst());
    assertThat(input.findings().callsWithoutParent()).isEqualTo(300_001);
    assertThat(input.findings().tiers())
        .as("the sums need no parents")
        .extracting(TierTime::tier)
        .containsExactly("app", "web");
    assertThat(input.observation().requests().trace(0)).isNull();
  }

  @Test
  void whyNothingWasStitchedIsToldInWords() {
    RequestTable.Builder requests = new RequestTable.Builder();
    requests.accept(request("web1", "users", 0, 10, 1));
    Observation alone = observation(requests.build());

    assertThat(StitchedObservation.ofAnalysis(alone, new ArrayList<>()).findings().reason())
        .startsWith("No server was seen to call another");
    assertThat(
            StitchedObservation.ofAnalysis(
                    new Observation(List.of(), RequestTable.empty(), List.of(), List.of()),
                    new ArrayList<>())
                .findings()
                .reason())
        .startsWith("No requests of servers were observed");
  }

  @Test
  void callsThatFitToManyRequestsHaveNoParentAndTheReasonIsTold() {
    RequestTable.Builder requests = new RequestTable.Builder();
    for (int i = 0; i < 40; i++) {
      requests.accept(request("web1", "users", 0, 1_000, 1 + i));
      requests.accept(request("app1", "web1", 100, 900, 100 + i));
    }

    Findings.Transactions found =
        StitchedObservation.ofAnalysis(observation(requests.build()), new ArrayList<>()).findings();

    assertThat(found.calls()).isZero();
    assertThat(found.callsWithoutParent()).isEqualTo(40);
    assertThat(found.reason()).startsWith("None of the 40 calls between servers has a parent");
  }

  private static Observation chains(int calls) {
    RequestTable.Builder requests = new RequestTable.Builder();
    for (int i = 0; i < calls; i++) {
      requests.accept(request("web1", "users", i * 10L, i * 10L + 9, 1));
      requests.accept(request("app1", "web1", i * 10L + 1, i * 10L + 7, 2));
    }
    return observation(requests.build());
  }

  private static Observation observation(RequestTable requests) {
    return new Observation(
        List.of(new Server("web1", "web", List.of()), new Server("app1", "app", List.of())),
        requests,
        List.of(),
        List.of());
  }

  private static Request request(
      String server, String client, long fromMicros, long toMicros, int connection) {
    long from = START + fromMicros * 1_000;
    return new Request(
        server,
        "GET /story",
        client,
        from,
        from,
        START + toMicros * 1_000,
        0,
        0,
        Outcome.OK,
        connection);
  }
}
