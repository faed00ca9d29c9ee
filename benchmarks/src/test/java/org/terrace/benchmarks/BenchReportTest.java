package org.terrace.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.benchmarks.BenchReport.Goal;
import org.terrace.benchmarks.BenchReport.Row;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchReportTest {
  private static final BenchReport REPORT =
      BenchReport.of(
          "example",
          List.of(
              Row.measured("terrace", "", "put-p50", "us", 3, 1, 2, 10),
              Row.skipped("peer", "put-p50", "us", "peer is not installed")),
          List.of(
              Goal.atMost("put-p50-us", 2.5, 2.5),
              Goal.atLeast("puts-per-second", 9, 10),
              Goal.notJudged("put-p50-to-best-peer", "<= 0.45", "no peer is installed")));

  @Test
  void aMissedGoalAndOneThatAWholeRunDidNotJudgeEndWithOne() {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    assertThat(REPORT.conclude(new PrintStream(told, true, UTF_8), true)).isEqualTo(1);
    assertThat(told.toString(UTF_8))
        .contains("1 met, 1 missed (puts-per-second), 1 not judged (put-p50-to-best-peer)");

    PrintStream nobody = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    BenchReport judged =
        BenchReport.of("example", List.of(), List.of(Goal.atMost("put-p50-us", 2.5, 2.5)));
    BenchReport open =
        BenchReport.of("example", List.of(), List.of(Goal.notJudged("put-p50-us", "<= 2", "why")));
    assertThat(judged.conclude(nobody, false)).isZero();
    assertThat(open.conclude(nobody, false)).isEqualTo(1);
    assertThat(open.conclude(nobody, true)).as("of a part").isZero();
  }

  @Test
  void jsonHasTheFieldsOfTheFormat() {
    JsonNode json = JsonMapper.shared().readTree(REPORT.toJson());

    assertThat(json.get("format").asString()).isEqualTo("terrace-bench/1");
    assertThat(json.get("machine").get("cores").asInt()).isPositive();
    assertThat(json.get("machine").get("memoryBytes").asLong()).isPositive();
    JsonNode measured = json.get("rows").get(0);
    assertThat(measured.get("value").asDouble()).isEqualTo(2.5);
    assertThat(measured.get("low").asDouble()).isEqualTo(1);
    assertThat(measured.get("high").asDouble()).isEqualTo(10);
    assertThat(measured.get("runs").asInt()).isEqualTo(4);
    assertThat(measured.get("skipped").isNull()).isTrue();
    assertThat(json.get("rows").get(1).get("skipped").asString()).contains("not installed");
    assertThat(json.get("goals").get(0).get("met").asBoolean()).isTrue();
    assertThat(json.get("goals").get(1).get("met").asBoolean()).isFalse();
    assertThat(json.get("goals").get(2).get("met").isNull()).isTrue();
  }

  @Test
  void tableShowsFiguresReasonsAndVerdicts() {
    assertThat(REPORT.toTable())
        .contains("put-p50", "2.500", "skipped: peer is not installed")
        .contains("NOT MET", "not judged", "no peer is installed")
        .contains("cores");
  }
}
