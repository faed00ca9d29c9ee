package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.load.mix.ThinkTime;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

@Tag("real-processes")
@Tag("untimed")
class LoadEngineTest {
  @TempDir Path directory;

  @Test
  void closedUsersWalkTheBoardAndEveryPageIsInTheResult() throws IOException {
    try (TestSite site = TestSite.board()) {
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(50), "exp(50ms)", directory);

      LoadResult result = LoadRuns.run(plan);

      RequestTable requests = result.requests();
      assertThat(requests.size()).isEqualTo(site.received.size()).isGreaterThan(200);
      assertThat(result.plan()).isEqualTo(plan);
      assertThat(requests.servers()).containsExactly(Server.CLIENTS);
      assertThat(requests.clients()).hasSize(50).contains("user-0", "user-49");
      assertThat(requests.requestClasses()).contains("ViewStory", "StoreComment", "Search");
      assertThat(result.failures()).containsOnlyKeys(Failure.NONE);
      assertThat(result.failures().get(Failure.NONE)).isEqualTo(requests.size());
      assertThat(result.generator().detours()).isZero();
      for (int row = 0; row < requests.size(); row++) {
        assertThat(requests.outcome(row)).isEqualTo(Outcome.OK);
        assertThat(requests.arrivalNanos(row)).isGreaterThanOrEqualTo(requests.intendedNanos(row));
        assertThat(requests.bytesOut(row)).isGreaterThan(1000);
      }
      assertThat(result.phases())
          .extracting(Event::kind)
          .containsExactly(
              EventKinds.PHASE_RAMP_UP, EventKinds.PHASE_RUN, EventKinds.PHASE_RAMP_DOWN);
    }
  }

  @Test
  @Tag("long")
  void usersHurryInABurstWhichIsAnEventAndTheRateIsExpected() throws IOException {
    try (TestSite site = TestSite.board()) {
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(50), "exp(500ms)", directory);
      LoadPace.Burst burst =
          new LoadPace.Burst(Duration.ofMillis(500), Duration.ofMillis(500), 8, true);

      LoadResult result = LoadRuns.run(LoadRuns.with(plan, LoadPace.STEADY.with(List.of(burst))));

      Event event =
          result.phases().stream()
              .filter(phase -> phase.kind().equals(EventKinds.FAULT_BURST))
              .findFirst()
              .orElseThrow();
      assertThat(event.endNanos() - event.startNanos()).isEqualTo(500_000_000L);
      assertThat(event.attributes()).containsEntry("factor", "8.0");
      double began = Double.parseDouble(event.attributes().get("beganRequests"));
      double expected = Double.parseDouble(event.attributes().get("expectedRequests"));
      assertThat(began / expected).as("of %s expected", expected).isBetween(0.6, 1.6);
      RequestTable requests = result.requests();
      int inside = 0;
      for (int row = 0; row < requests.size(); row++) {
        long at = requests.intendedNanos(row);
        inside += at >= event.startNanos() && at < event.endNanos() ? 1 : 0;
      }
      // 400 are expected in the burst and 50 in as long a time beside it.
      assertThat(inside).isBetween(150, 500);
      assertThat(requests.size() - inside).isBetween(50, 250);
      assertThat(result.validity())
          .filteredOn(check -> check.name().equals("achieved-rate"))
          .allMatch(LoadCheck::passed);
    }
  }

  @Test
  void theWalkIsThatOfTheTableAndFormsAreFilled() throws IOException {
    try (TestSite site = TestSite.board()) {
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(100), "exp(30ms)", directory);

      LoadResult result = LoadRuns.run(plan);

      long posts = site.received.stream().filter(r -> r.method().equals("POST")).count();
      assertThat(posts / (double) result.requests().size()).isBetween(0.06, 0.16);
      assertThat(site.received)
          .filteredOn(r -> r.method().equals("POST"))
          .allSatisfy(r -> assertThat(r.body()).matches("story=17&subject=.+&body=.{20,}"));
      assertThat(site.received)
          .filteredOn(r -> r.state().equals("ViewStory"))
          .allSatisfy(r -> assertThat(r.target()).isEqualTo("/view-story?story=1&page=2"));
    }
  }

  @Test
  void cookiesLastForTheSessionAndEachSessionHasAConnection() throws IOException {
    try (TestSite site = TestSite.board()) {
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(20), "exp(20ms)", directory);

      LoadResult result = LoadRuns.run(plan);

      Set<Integer> seen = new HashSet<>();
      for (TestSite.Received request : site.received) {
        boolean first = seen.add(request.connection());
        assertThat(request.headers().get("cookie")).isEqualTo(first ? null : "visit=1");
        assertThat(request.peer()).isEqualTo("127.16.9.1");
      }
      assertThat((long) site.connections.get())
          .isBetween(result.generator().sessions() - 20, result.generator().sessions());
      assertThat(result.generator().sessions()).isGreaterThan(25);
      assertThat(result.generator().reconnects()).isZero();
    }
  }

  @Test
  void aConnectionThatTheServerClosesMeanwhileIsReplacedWithoutAnError() throws IOException {
    AtomicReference<TestSite> self = new AtomicReference<>();
    AtomicBoolean closed = new AtomicBoolean();
    try (TestSite site =
        new TestSite(request -> {
          TestSite own = self.get();
          if (own.received.size() >= 200 && closed.compareAndSet(false, true)) {
            own.closeConnections();
          }
          return TestSite.ok(TestSite.page(request.state()), "");
        })) {
      self.set(site);
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(20), "exp(20ms)", directory);

      LoadResult result = LoadRuns.run(plan);

      assertThat(result.generator().reconnects()).isBetween(5L, 20L);
      assertThat(result.failures().get(Failure.NONE))
          .isGreaterThanOrEqualTo(result.requests().size() - 10L);
    }
  }

  @Test
  void severalTargetsAndSourcesAreTakenInTurnAndStatesMayThinkDifferently() throws IOException {
    try (TestSite one = TestSite.board();
        TestSite two = TestSite.board()) {
      LoadPlan simple = LoadRuns.plan(one.uri(), new LoadPlan.Closed(40), "exp(20ms)", directory);
      LoadPlan plan =
          new LoadPlan(
              List.of(one.uri(), two.uri()),
              simple.model(),
              simple.think(),
              Map.of("StoriesOfTheDay", ThinkTime.parse("const(1h)")),
              simple.mix(),
              simple.phases(),
              simple.pace(),
              simple.seed(),
              List.of("127.16.9.1", "127.16.9.3"),
              simple.limits(),
              directory);

      LoadResult result = LoadRuns.run(plan);

      assertThat(result.requests().size())
          .as("each user has seen the first page alone")
          .isEqualTo(40);
      for (TestSite site : List.of(one, two)) {
        assertThat(site.received).hasSize(20);
      }
      assertThat(Stream.of(one, two).flatMap(site -> site.received.stream()))
          .extracting(TestSite.Received::peer)
          .contains("127.16.9.1", "127.16.9.3");
    }
  }

  @Test
  @Tag("long")
  void figuresOfAHealthyRunAreRight() throws IOException {
    try (TestSite site = TestSite.board()) {
      LoadPlan plan =
          LoadRuns.plan(site.uri(), new LoadPlan.Closed(100), "const(100ms)", directory);

      LoadResult result = LoadRuns.run(plan);
      GeneratorFacts facts = result.generator();

      assertThat(result.validity())
          .extracting(LoadCheck::name)
          .containsExactly(
              "generator-lateness",
              "generator-cpu",
              "achieved-rate",
              "connections",
              "walk-followed",
              "rows-recorded",
              "clock-kept",
              "run-completed");
      // A run of 1.5 s may hold the first page of a user and 15 more.
      assertThat(facts.expectedPerSecond()).isBetween(300.0, 1_100.0);
      // On a machine that others use, users whose answers are late ask for less than was expected.
      assertThat(facts.achievedPerSecond() / facts.expectedPerSecond()).isBetween(0.4, 1.25);
      assertThat(facts.peakResidentBytes()).isPositive();
      assertThat(facts.cpuCores()).isPositive();
      assertThat(facts.rowsLost()).isZero();
    }
  }
}
