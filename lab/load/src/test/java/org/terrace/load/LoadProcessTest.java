package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;

@Tag("real-processes")
@Tag("untimed")
class LoadProcessTest {
  @TempDir Path directory;

  private Process start(LoadPlan plan) throws IOException {
    Path file = directory.resolve("plan.json");
    plan.write(file);
    List<String> command =
        JavaCommand.of(LoadProcess.jvmOptions(plan), LoadProcess.class, file.toString());
    return Keeper.ofThisProcess()
        .start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  private LoadPlan plan(TestSite site, LoadPlan.Phases phases) {
    LoadPlan plan =
        LoadRuns.plan(
            site.uri(), new LoadPlan.Closed(50), "exp(100ms)", directory.resolve("result"));
    return LoadRuns.with(plan, phases, plan.limits());
  }

  @Test
  void theProcessTellsItsPhasesAndProgressAndLeavesItsResult()
      throws IOException, InterruptedException {
    try (TestSite site = TestSite.board()) {
      LoadPlan plan = plan(site, LoadRuns.phases(500, 2000, 500));
      Process process = start(plan);
      List<String> lines;
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        lines = out.lines().toList();
      }

      assertThat(process.waitFor()).isZero();
      assertThat(lines)
          .filteredOn(line -> line.startsWith("phase "))
          .hasSize(3)
          .allSatisfy(line -> assertThat(line).matches("phase (ramp-up|run|ramp-down) \\d+ \\d+"));
      assertThat(lines)
          .filteredOn(line -> line.startsWith("progress "))
          .hasSizeGreaterThanOrEqualTo(2)
          .allSatisfy(line ->
              assertThat(line)
                  .matches(
                      "progress \\{\"second\":\\d+,\"phase\":\"[a-z-]+\",\"users\":\\d+,"
                          + "\"requestsPerSecond\":[\\d.]+,\"errors\":0,\"p50Micros\":\\d+,"
                          + "\"p99Micros\":\\d+}"));
      LoadResult result = LoadResult.read(plan.output());
      assertThat(result.requests().size()).isEqualTo(site.received.size());
      assertThat(result.generator().requests()).isGreaterThan(200);
    }
  }

  @Test
  @Tag("long")
  void aTerminatedProcessWritesWhatItHas() throws IOException, InterruptedException {
    try (TestSite site = TestSite.board()) {
      LoadPlan plan = plan(site, LoadRuns.phases(100, 60_000, 500));
      Process process = start(plan);
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        awaitLine(out, "progress ");
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      }

      assertStoppedEarly(LoadResult.read(plan.output()));
    }
  }

  @Test
  void aProcessWhoseStarterIsGoneEnds() throws IOException, InterruptedException {
    try (TestSite site = TestSite.board()) {
      LoadPlan plan = plan(site, LoadRuns.phases(100, 60_000, 500));
      Process process = start(plan);
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        awaitLine(out, "progress ");
        process.getOutputStream().close();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      }

      assertStoppedEarly(LoadResult.read(plan.output()));
    }
  }

  private static void assertStoppedEarly(LoadResult result) {
    assertThat(result.requests().size()).isPositive();
    assertThat(result.valid()).isFalse();
    assertThat(result.validity())
        .filteredOn(check -> check.name().equals("run-completed"))
        .extracting(LoadCheck::passed)
        .containsExactly(false);
  }

  private static void awaitLine(BufferedReader out, String start) throws IOException {
    String line = out.readLine();
    while (line != null && !line.startsWith(start)) {
      line = out.readLine();
    }
    assertThat(line).isNotNull();
  }
}
