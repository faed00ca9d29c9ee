package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.terrace.experiment.watch.ReplicaHistory;
import org.terrace.nodes.fault.Fault;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

class ClusterChecksTest {
  private static final long MILLI = 1_000_000;
  private static final Experiment EXPERIMENT =
      PlainExperiments.of(
          new Topology(1, 1, 0, 3),
          List.of(
              new Fault.Kill(
                  "database2",
                  Fault.Schedule.once(Duration.ofSeconds(1)),
                  Optional.of(Duration.ofSeconds(2)))),
          Map.of());
  private static final Event KILL = kill(1_000);

  /** The run, which ends when the load does where a request ends at 8,000 ms. */
  private static final Event RUN =
      new Event(Server.CLIENTS, EventKinds.PHASE_RUN, 0, 8_000 * MILLI, Map.of());

  @Test
  void aLossLastsFromWhatTheOwnerSaysToTheReturn() {
    ReplicaHistory history =
        new ReplicaHistory(
            Deployment.planned(EXPERIMENT).stream()
                .map(server ->
                    new Server(
                        server.name(),
                        server.tier(),
                        List.of(server.address() + ":" + server.port())))
                .toList(),
            EXPERIMENT.clusterOwners());
    history.printed("app1", "ready");
    history.printed("app1", "replica 127.0.4.2:5432 lost 1020000000 This connection was closed.");
    history.printed("app1", "replica 127.0.4.2:5432 lost 1030000000 It is said again.");
    history.printed("app1", "replica 127.0.9.9:5432 lost 1030000000 It is none of the trial's.");
    history.printed("app1", "replica 127.0.4.2:5432 lost Nov 29, 2026 12:58:11 PM another's line");
    history.printed("app1", "replica 127.0.4.2:5432 lost 99999999999999999999 No such time.");
    history.printed("web1", "replica 127.0.4.2:5432 returned 3000000000");
    history.printed("app1", "replica 127.0.4.2:5432 returned 4000000000");
    history.printed("app1", "replica 127.0.4.3:5432 lost 5000000000 Gone.");

    assertThat(history.end(9_000 * MILLI))
        .containsExactly(
            new Event(
                "database2",
                "replica-lost",
                1_020 * MILLI,
                4_000 * MILLI,
                Map.of("reason", "This connection was closed.")),
            new Event("database2", "replica-returned", 4_000 * MILLI, 4_000 * MILLI, Map.of()),
            new Event(
                "database3",
                "replica-lost",
                5_000 * MILLI,
                9_000 * MILLI,
                Map.of("reason", "Gone.")));
  }

  /** Any other server prints such words about something else, as a program of the user's may. */
  @Test
  void aLineThatIsNoOwnersTellsNoLoss() {
    ReplicaHistory history =
        new ReplicaHistory(
            List.of(new Server("database2", "database", List.of("127.0.4.2:5432"))),
            EXPERIMENT.clusterOwners());
    String line = "replica 127.0.4.2:5432 lost 1020000000 It is said by another.";
    history.printed("web1", line);
    history.printed("database1", line);

    assertThat(history.end(9_000 * MILLI)).isEmpty();
    assertThat(history.tellsLoss("web1", line)).isFalse();
    assertThat(history.tellsLoss("app1", "replica 127.0.4.2:5432 lost soon x")).isFalse();
    assertThat(history.tellsLoss("app1", "replica of the page lost 5 of its parts")).isFalse();
    assertThat(history.tellsLoss("app1", line)).isTrue();
  }

  @Test
  void theOwnerIsTheControllerOrTheOneApplicationServer() {
    assertThat(PlainExperiments.of(new Topology(1, 2, 1, 2)).clusterOwners())
        .containsExactly("middleware1");
    assertThat(PlainExperiments.of(new Topology(1, 1, 0, 2)).clusterOwners())
        .containsExactly("app1");
    assertThat(PlainExperiments.of(new Topology(1, 2, 0, 1)).clusterOwners()).isEmpty();
  }

  @Test
  void pagesMayFailInTheFirstMomentAlone() {
    assertThat(pages(request(900, 1_005, Outcome.OK))).isTrue();
    assertThat(pages(request(900, 1_099, Outcome.ERROR))).isTrue();
    assertThat(pages(request(900, 1_101, Outcome.ERROR))).isFalse();
    assertThat(pages(request(1_050, 9_000, Outcome.ABORTED))).isFalse();
    assertThat(pages(request(500, 600, Outcome.ERROR))).isTrue();
  }

  /** Users who hang ask for nothing more, so that nothing else tells of them. */
  @Test
  void pagesThatHangUntilTheEndOfTheLoadFailed() {
    Request ordinary = request(500, 700, Outcome.OK);

    assertThat(pages(ordinary, request(1_005, 9_000, Outcome.UNFINISHED))).isFalse();
    assertThat(pages(ordinary, request(900, 8_000, Outcome.UNFINISHED))).isFalse();
    assertThat(pages(request(7_000, 9_000, Outcome.UNFINISHED))).isFalse();
    assertThat(pages(ordinary, request(7_500, 8_000, Outcome.UNFINISHED)))
        .as("longer than any page took before the loss")
        .isFalse();
  }

  @Test
  void aPageThatWasAskedJustBeforeTheEndOfTheLoadDidNotFail() {
    Request ordinary = request(500, 700, Outcome.OK);

    assertThat(pages(ordinary, request(7_700, 8_000, Outcome.UNFINISHED))).isTrue();
    assertThat(pages(request(7_950, 8_000, Outcome.UNFINISHED))).isTrue();
    assertThat(pages(ordinary, request(8_100, 9_000, Outcome.UNFINISHED)))
        .as("asked after the run")
        .isTrue();
  }

  @Test
  void eachKillHasItsFirstMomentAndAPageIsCountedOnce() {
    Event again = kill(5_000);
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(request(4_900, 5_050, Outcome.ERROR));
    assertThat(ClusterChecks.pages(table.build(), List.of(RUN, KILL, again)).passed()).isTrue();

    table = new RequestTable.Builder();
    table.accept(request(5_900, 6_000, Outcome.ERROR));
    ValidityCheck late = ClusterChecks.pages(table.build(), List.of(RUN, KILL, again));
    assertThat(late.passed()).isFalse();
    assertThat(late.detail()).contains("and 1 later");
  }

  @Test
  void aKillIsNotJudgedByWhatCameAfterTheNextOfItsServer() {
    Event again = kill(5_000);
    Event lost = new Event("database2", "replica-lost", 5_020 * MILLI, 7_000 * MILLI, Map.of());
    Event back = new Event("database2", "replica-returned", 7_000 * MILLI, 7_000 * MILLI, Map.of());

    assertThat(ClusterChecks.returned(EXPERIMENT, List.of(KILL, again, lost, back)))
        .isEqualTo(
            new ValidityCheck("replicas-returned", false, "the cluster did not miss database2"));
    Event missed = new Event("database2", "replica-lost", 1_020 * MILLI, 5_000 * MILLI, Map.of());
    assertThat(ClusterChecks.returned(EXPERIMENT, List.of(KILL, again, lost, back, missed)))
        .isEqualTo(
            new ValidityCheck(
                "replicas-returned",
                false,
                "database2 was started again and did not return before its next kill"));
  }

  @Test
  void whoIsStartedAgainMustReturn() {
    Event lost = new Event("database2", "replica-lost", 1_020 * MILLI, 4_000 * MILLI, Map.of());
    Event back = new Event("database2", "replica-returned", 4_000 * MILLI, 4_000 * MILLI, Map.of());

    assertThat(ClusterChecks.returned(EXPERIMENT, List.of(KILL, lost, back)))
        .isEqualTo(
            new ValidityCheck(
                "replicas-returned",
                true,
                "database2 was missed 20 ms after its kill and back after 3000 ms"));
    assertThat(ClusterChecks.returned(EXPERIMENT, List.of(KILL, lost)).detail())
        .isEqualTo("database2 was started again and did not return");
    assertThat(ClusterChecks.returned(EXPERIMENT, List.of(KILL)).detail())
        .isEqualTo("the cluster did not miss database2");
  }

  @Test
  void whatDiffersFailsTheCheckWithItsRows() {
    assertThat(ClusterChecks.equal(List.of("equal: 3 servers")).passed()).isTrue();
    assertThat(ClusterChecks.equal(List.of("differs: 3 servers", "1 rows of users differ")))
        .isEqualTo(
            new ValidityCheck(
                "replicas-equal", false, "differs: 3 servers; 1 rows of users differ"));
  }

  private static boolean pages(Request... requests) {
    RequestTable.Builder table = new RequestTable.Builder();
    List.of(requests).forEach(table);
    List<Event> events = new ArrayList<>(List.of(KILL, RUN));
    return ClusterChecks.pages(table.build(), events).passed();
  }

  private static Event kill(long atMillis) {
    return new Event(
        "database2", EventKinds.FAULT_KILL, atMillis * MILLI, (atMillis + 10) * MILLI, Map.of());
  }

  private static Request request(long fromMillis, long toMillis, Outcome outcome) {
    long from = fromMillis * MILLI;
    return new Request(
        Server.CLIENTS, "GET /", "user1", from, from, toMillis * MILLI, 1, 1, outcome, 1);
  }
}
