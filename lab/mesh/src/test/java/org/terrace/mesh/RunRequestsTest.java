package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.scaling.ClassOutcome;

class RunRequestsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Event RUN =
      new Event("experiment", EventKinds.PHASE_RUN, 10 * SECOND, 20 * SECOND, Map.of());

  private static Request request(String name, double intended, double sent, double end, Outcome o) {
    return new Request(
        Server.CLIENTS,
        name,
        "user",
        (long) (intended * SECOND),
        (long) (sent * SECOND),
        (long) (end * SECOND),
        1,
        1,
        o,
        1);
  }

  private static List<ClassOutcome> classes(int users, List<Request> requests) {
    RequestTable.Builder table = new RequestTable.Builder();
    requests.forEach(table);
    return new RunRequests(table.build(), RUN, users).classes();
  }

  @Test
  void whatEndsInTheRunCountsAndWhatNeverEndsIfItBeganBefore() {
    List<ClassOutcome> classes =
        classes(
            0,
            List.of(
                request("home", 9, 9, 9.9, Outcome.OK), // over before
                request("home", 9.5, 9.5, 10.5, Outcome.OK),
                request("home", 19.5, 19.5, 20, Outcome.OK), // ends behind it
                request("home", 12, 12, 13, Outcome.ERROR),
                request("home", 14, 14, 15, Outcome.ABORTED),
                request("home", 19, 19, 23, Outcome.UNFINISHED),
                request("home", 21, 21, 23, Outcome.UNFINISHED),
                request("home", 8, 8, 23, Outcome.UNFINISHED),
                request("buy", 15, 15.5, 16, Outcome.OK)));

    assertThat(classes).extracting(ClassOutcome::name).containsExactly("buy", "home");
    assertThat(classes.getLast().count()).isEqualTo(5);
    assertThat(classes.getLast().errors()).isEqualTo(4);
    // From the moment at which it was to be sent, not from the later one at which it was.
    assertThat(classes.getFirst().latency().atMost(900_000)).isZero();
    assertThat(classes.getFirst().latency().atMost(1_048_576)).isEqualTo(1);
  }

  /** Of two users one gets an answer each second; the other hangs from a moment before the run. */
  @ParameterizedTest
  @ValueSource(doubles = {8, 10})
  void aUserWhoHangsFailsAsOftenAsOneWhoDoesNotIsAnswered(double since) {
    List<Request> requests = new ArrayList<>(answeredEachSecond());
    requests.add(request("home", since, since, 21, Outcome.UNFINISHED));

    ClassOutcome home = classes(2, requests).getFirst();

    assertThat(home.count()).isEqualTo(20);
    assertThat(home.errors()).isEqualTo(10);
  }

  /** A queue that is longer than the ramp-down leaves a request of each user without an end. */
  @Test
  void whoWaitsAsLongAsOthersDoFailsOnce() {
    List<Request> requests = new ArrayList<>(answeredEachSecond());
    requests.add(request("home", 19, 19, 21, Outcome.UNFINISHED));

    ClassOutcome home = classes(1, requests).getFirst();

    assertThat(home.count()).isEqualTo(11);
    assertThat(home.errors()).isEqualTo(1);
  }

  @Test
  void whereNobodyIsAnsweredEachRequestIsOneFailure() {
    List<ClassOutcome> classes =
        classes(
            2,
            List.of(
                request("home", 9, 9, 21, Outcome.UNFINISHED),
                request("home", 12, 12, 21, Outcome.UNFINISHED)));

    assertThat(classes)
        .singleElement()
        .isEqualTo(
            classes(
                    0,
                    List.of(
                        request("home", 9, 9, 21, Outcome.UNFINISHED),
                        request("home", 12, 12, 21, Outcome.UNFINISHED)))
                .getFirst());
    assertThat(classes.getFirst().errors()).isEqualTo(2);
  }

  private static List<Request> answeredEachSecond() {
    List<Request> requests = new ArrayList<>();
    for (int second = 10; second < 20; second++) {
      requests.add(request("home", second, second, second + 0.5, Outcome.OK));
    }
    return requests;
  }
}
