package org.terrace.benchmarks.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.testing.ManualTimeSource;

class ProgressTest {
  private static final long SECOND = 1_000_000_000;

  private final ByteArrayOutputStream told = new ByteArrayOutputStream();
  private final ManualTimeSource time = new ManualTimeSource(0);

  private Progress progress(List<Progress.Step> plan) {
    return new Progress(new PrintStream(told, true, StandardCharsets.UTF_8), time, plan);
  }

  private String told() {
    return told.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aSubjectIsToldWithItsPlaceAndTheTimeThatIsLeftAtThePaceSoFar() {
    Progress progress =
        progress(
            List.of(
                new Progress.Step(Subject.TERRACE_ALL, 1, 1, 20),
                new Progress.Step(Subject.REDIS, 2, 1, 10),
                new Progress.Step(Subject.TERRACE_ALL, 1, 2, 10),
                new Progress.Step(Subject.REDIS, 2, 2, 10)));

    progress.begin();
    time.advanceNanos(40 * SECOND);
    progress.begin();

    assertThat(told())
        .contains("[1 of 2, run 1 of 2] terrace, acknowledged by all; 0 s elapsed, about 50 s left")
        .contains("[2 of 2, run 1 of 2] redis, acknowledged by all; 40 s elapsed, about 60 s left");
  }

  @Test
  void aSubjectEndsWithItsMainFigures() {
    Results results = new Results();
    results.add(Subject.REDIS, "put-p50", 118);
    results.add(Subject.REDIS, "mix-throughput", 46_745);
    Progress progress = progress(List.of(new Progress.Step(Subject.REDIS, 1, 1, 10)));

    progress.begin();
    progress.begin(Part.MIX);
    time.advanceNanos(4 * SECOND);
    progress.end();
    progress.end(results);
    results.beginRun();

    assertThat(results.ofThisRun("put-p50")).isNull();
    assertThat(told())
        .contains("mix 4 s", "4 s in all", "put p50 118 us, p99 - us", "46,745/s", "lost -");
  }

  @Test
  void aRunThatIsLeftOutIsTold() {
    Progress progress =
        progress(
            List.of(
                new Progress.Step(Subject.REDIS, 1, 1, 10),
                new Progress.Step(Subject.REDIS, 1, 2, 10)));

    progress.begin();
    time.advanceNanos(90 * SECOND);
    assertThat(progress.isLaterThan(Duration.ofSeconds(90))).isFalse();
    assertThat(progress.isLaterThan(Duration.ofSeconds(89))).isTrue();
    progress.leaveOut();

    assertThat(told()).contains("redis, acknowledged by all: no run 2, since 90 s have elapsed");
  }

  @Test
  void theUsualEffortComparesMediansOfFiveRunsInLessThanHalfAnHour() {
    double seconds =
        Effort.usual().plan().stream().mapToDouble(Progress.Step::expectedSeconds).sum();

    assertThat(seconds).isLessThan(30 * 60);
    for (Effort effort : List.of(Effort.usual(), Effort.full())) {
      for (Subject subject : Subject.values()) {
        long runs = effort.only(EnumSet.of(subject)).plan().size();
        assertThat(runs).as(subject.toString()).isEqualTo(runsWanted(effort, subject));
      }
    }
  }

  private static long runsWanted(Effort effort, Subject subject) {
    return subject.level() == Level.ALL ? 5 : effort.otherRuns();
  }
}
