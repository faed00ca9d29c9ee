package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;
import org.terrace.load.mix.ThinkTime;

@Tag("real-processes")
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

  @Test
  void aPlanIsReadBackAsItWasWritten() {
    LoadPlan plan =
        new LoadPlan(
            List.of(URI.create("http://127.0.1.1:8080")),
            LoadPlan.Open.poisson(120.5),
            ThinkTime.RUBBOS,
            Map.of("Search", ThinkTime.parse("const(250ms)")),
            "browse-only",
            LoadRuns.phases(8000, 720_000, 30_000),
            -42,
            List.of("127.0.9.1", "127.0.9.2"),
            LoadPlan.Limits.DEFAULT,
            directory);
    Path file = directory.resolve("plan.json");
    plan.write(file);

    assertThat(LoadPlan.read(file)).isEqualTo(plan);
  }

  @Test
  void aWrongPlanIsRefusedWithFileAndField() throws IOException {
    Path file = directory.resolve("plan.json");
    Files.writeString(file, "{\"targets\": [\"ftp://x\"]}");
    assertThatThrownBy(() -> LoadPlan.read(file))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("plan.json")
        .hasMessageContaining("sourceAddresses");
    assertThatThrownBy(() -> LoadPlan.read(directory.resolve("absent.json")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("absent.json");
    assertThatThrownBy(() -> new LoadPlan.Closed(0)).hasMessageContaining("users");
  }

  @Test
  void tooFewDescriptorsOrPortsAreSaidBeforeTheFirstConnection() {
    assertThatThrownBy(() -> MachineLimits.checkDescriptors(13_000, 1024))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("ulimit -n 13100");
    assertThatThrownBy(() -> MachineLimits.checkPorts(60_000, 1, 28_232))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("give 3 source addresses");
    MachineLimits.checkDescriptors(13_000, 20_000);
    MachineLimits.checkPorts(60_000, 3, 28_232);
  }
}
