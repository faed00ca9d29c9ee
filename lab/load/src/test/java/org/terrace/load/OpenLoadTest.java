package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Event;

@Tag("real-processes")
class OpenLoadTest {
  @TempDir Path directory;

  private LoadPlan plan(TestSite site, LoadPlan.Open open, LoadPlan.Phases phases) {
    LoadPlan plan = LoadRuns.plan(site.uri(), open, "exp(7s)", directory);
    return LoadRuns.with(plan, phases, plan.limits());
  }

  @Test
  void arrivalsComeAtTheirRateHoweverTheUsersDo() throws IOException {
    try (TestSite site = TestSite.board()) {
      LoadPlan.Open open = new LoadPlan.Open(300, LoadPlan.Spacing.UNIFORM, 100);

      LoadResult result = LoadRuns.run(plan(site, open, LoadRuns.phases(500, 1500, 500)));

      assertThat(result.generator().expectedPerSecond()).isCloseTo(300, within(60.0));
      assertThat(result.generator().achievedPerSecond()).isCloseTo(300, within(90.0));
      long late = arrivals(result, 300) - 300 * 2;
      assertThat((double) result.requests().size()).isCloseTo(75 + 450, within(40.0 + late));
      assertThat(result.generator().arrivalsDropped()).isZero();
      assertThat(result.requests().clients()).hasSize(100);
      assertThat(result.failures()).containsOnlyKeys(Failure.NONE);
    }
  }

  /** The server answers nobody for a second; each of the four users sees that once. */
  @Test
  void timesFromTheIntendedStartShowAStallThatTimesFromTheActualStartHide() throws IOException {
    AtomicInteger count = new AtomicInteger();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch stalled = new CountDownLatch(1);
    try (TestSite site =
        new TestSite(request -> {
          if (count.incrementAndGet() == 400) {
            await(end, 1000);
            stalled.countDown();
          } else if (count.get() > 400) {
            await(stalled, 2000);
          }
          return TestSite.ok(TestSite.page(request.state()), "");
        })) {
      LoadPlan.Open open = new LoadPlan.Open(400, LoadPlan.Spacing.UNIFORM, 4);

      LoadResult result = LoadRuns.run(plan(site, open, LoadRuns.phases(0, 3500, 500)));

      assertThat(result.failures()).containsOnlyKeys(Failure.NONE);
      assertThat(result.generator().responseP99Micros()).isLessThan(500_000);
      assertThat(result.generator().intendedP99Micros()).isBetween(800_000.0, 4_500_000.0);
      assertThat(result.generator().latenessP99Micros())
          .as("waiting for an idle user is not the generator's lateness")
          .isLessThan(500_000);
    }
  }

  @Test
  void arrivalsBeyondTheBacklogAreCounted() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    try (TestSite site =
        new TestSite(request -> {
          await(end, 5000);
          return TestSite.ok(TestSite.page(request.state()), "");
        })) {
      LoadPlan plan =
          LoadRuns.plan(
              site.uri(), new LoadPlan.Open(500, LoadPlan.Spacing.UNIFORM, 2), "0", directory);
      LoadPlan small =
          LoadRuns.with(
              plan,
              LoadRuns.phases(0, 2500, 50),
              new LoadPlan.Limits(plan.limits().connect(), plan.limits().response(), 10));

      LoadResult result = LoadRuns.run(small);

      assertThat(result.requests().size()).isEqualTo(2);
      assertThat(result.generator().arrivalsDropped())
          .as("a run that ends late has more arrivals")
          .isBetween(150L, arrivals(result, 500));
      assertThat(result.validity())
          .filteredOn(check -> check.name().equals("achieved-rate"))
          .allSatisfy(check -> {
            assertThat(check.passed()).isFalse();
            assertThat(check.detail()).contains("dropped");
          });
    } finally {
      end.countDown();
    }
  }

  /** The most that can have come: a load ends when its end is seen, which may be late. */
  private static long arrivals(LoadResult result, int perSecond) {
    Event first = result.phases().getFirst();
    Event rampDown = result.phases().getLast();
    return (long) Math.ceil((rampDown.startNanos() - first.startNanos()) / 1e9 * perSecond);
  }

  private static void await(CountDownLatch latch, int millis) {
    try {
      assertThat(latch.await(millis, TimeUnit.MILLISECONDS)).isIn(true, false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
