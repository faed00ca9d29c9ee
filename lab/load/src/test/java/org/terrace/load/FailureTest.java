package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Outcome;

@Tag("real-processes")
class FailureTest {
  @TempDir Path directory;

  private LoadResult run(TestSite.Handler handler) throws IOException {
    try (TestSite site = new TestSite(handler)) {
      return run(site.uri(), 5000);
    }
  }

  private LoadResult run(URI target, int responseMillis) {
    LoadPlan plan = LoadRuns.plan(target, new LoadPlan.Closed(5), "const(20ms)", directory);
    return LoadRuns.run(
        LoadRuns.with(
            plan,
            LoadRuns.phases(0, 1000, 5000),
            new LoadPlan.Limits(Duration.ofSeconds(5), Duration.ofMillis(responseMillis), 100)));
  }

  private static void assertOnly(LoadResult result, Failure failure, Outcome outcome) {
    assertThat(result.failures()).containsOnlyKeys(failure);
    assertThat(result.requests().size()).isPositive();
    for (int row = 0; row < result.requests().size(); row++) {
      assertThat(result.requests().outcome(row)).isEqualTo(outcome);
    }
    assertThat(result.generator().errors()).isEqualTo(result.generator().requests());
  }

  @Test
  void anotherStatusThan200IsAnError() throws IOException {
    LoadResult result =
        run(request -> TestSite.bytes("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy"));

    assertOnly(result, Failure.WRONG_STATUS, Outcome.ERROR);
  }

  @Test
  void thePageOfAnotherStateIsAnError() throws IOException {
    assertOnly(
        run(request -> TestSite.ok(TestSite.page("Error"), "")),
        Failure.WRONG_CONTENT,
        Outcome.ERROR);
  }

  @Test
  void anAnswerThatEndsTooEarlyIsAborted() throws IOException {
    assertOnly(
        run(request ->
            TestSite.bytes(
                "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + TestSite.END_AFTER_THIS)),
        Failure.TRUNCATED,
        Outcome.ABORTED);
  }

  @Test
  void aConnectionClosedInsteadOfAnAnswerIsAborted() throws IOException {
    assertOnly(run(request -> null), Failure.CLOSED, Outcome.ABORTED);
  }

  @Test
  void noAnswerInTimeIsAborted() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    try (TestSite site =
        new TestSite(request -> {
          awaitQuietly(end);
          return null;
        })) {
      LoadResult result = run(site.uri(), 100);

      assertOnly(result, Failure.TIMEOUT, Outcome.ABORTED);
      assertThat(result.generator().responseP50Micros()).isBetween(95_000.0, 1_000_000.0);
    } finally {
      end.countDown();
    }
  }

  @Test
  void whatIsNotHttpIsAnError() throws IOException {
    assertOnly(
        run(request -> TestSite.bytes("SSH-2.0-OpenSSH\r\n")), Failure.MALFORMED, Outcome.ERROR);
  }

  @Test
  void nobodyListeningIsRefusedAndSpoilsTheRun() throws IOException {
    URI gone;
    try (TestSite site = TestSite.board()) {
      gone = site.uri();
    }

    LoadResult result = run(gone, 5000);

    assertOnly(result, Failure.REFUSED, Outcome.ABORTED);
    assertThat(IntStream.range(0, result.requests().size()))
        .allMatch(row -> LoadResult.isUnsent(result.requests(), row));
    assertThat(result.valid()).isFalse();
    assertThat(result.validity())
        .filteredOn(check -> check.name().equals("connections"))
        .extracting(LoadCheck::passed)
        .containsExactly(false);
  }

  @Test
  void aRequestInFlightAtTheEndIsUnfinished() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    try (TestSite site =
        new TestSite(request -> {
          awaitQuietly(end);
          return null;
        })) {
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(3), "const(1ms)", directory);
      LoadResult result =
          LoadRuns.run(LoadRuns.with(plan, LoadRuns.phases(0, 2000, 100), plan.limits()));

      assertThat(result.failures()).isEqualTo(Map.of(Failure.UNFINISHED, 3L));
      assertThat(result.requests().outcome(0)).isEqualTo(Outcome.UNFINISHED);
    } finally {
      end.countDown();
    }
  }

  @Test
  void redirectsAreFollowedWithinOnePage() throws IOException {
    LoadResult result =
        run(request ->
            request.target().contains("moved")
                ? TestSite.ok(TestSite.page("StoriesOfTheDay"), "")
                : TestSite.bytes(
                    "HTTP/1.1 302 Found\r\nLocation: /moved\r\nContent-Length: 0\r\n\r\n"));

    assertThat(result.failures().get(Failure.NONE)).isPositive();
  }

  @Test
  void endlessRedirectsAreAnError() throws IOException {
    assertOnly(
        run(request ->
            TestSite.bytes("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")),
        Failure.WRONG_STATUS,
        Outcome.ERROR);
  }

  @Test
  void aPageWithoutTheChosenStateSendsTheUserToTheStartPage() throws IOException {
    LoadResult result =
        run(request -> TestSite.ok("<meta name=\"page\" content=\"" + request.state() + "\">", ""));

    assertThat(result.failures()).containsOnlyKeys(Failure.NONE);
    assertThat(result.requests().requestClasses()).containsExactly("StoriesOfTheDay");
    assertThat(result.generator().detours()).isPositive();
    assertThat(result.validity())
        .filteredOn(check -> check.name().equals("walk-followed"))
        .extracting(LoadCheck::passed)
        .containsExactly(false);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
