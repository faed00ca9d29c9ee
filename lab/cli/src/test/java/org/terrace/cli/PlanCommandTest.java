package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cli.output.PlanTrials.ONE;
import static org.terrace.cli.output.PlanTrials.failed;
import static org.terrace.cli.output.PlanTrials.mesh;
import static org.terrace.cli.output.PlanTrials.trial;
import static org.terrace.cli.output.PlanTrials.without;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cli.output.PlanTrials;
import org.terrace.mesh.MeshFile;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PlanCommandTest {
  @TempDir Path directory;

  private PlanCall call;

  @Test
  void anotherPriceIsAnotherPlanOfTheSameTrials() throws IOException {
    MeshFile.write(directory.resolve(MeshFile.NAME), mesh(Status.DONE));
    Path cheap = prices("cheap.yaml", "0.10");
    Path dear = prices("dear.yaml", "30");

    assertThat(plan("--prices", cheap.toString())).isZero();
    assertThat(call.printed())
        .contains("1/2/0/1 earns most")
        .contains("Money is not lost")
        .containsOnlyOnce("postgresql")
        .contains("All configurations have postgresql.");
    assertThat(directory.resolve("plan.html")).isNotEmptyFile();

    Path out = directory.resolve("may");
    assertThat(plan("--prices", dear.toString(), "--json", "--out", out.toString())).isZero();
    JsonNode json = JsonMapper.shared().readTree(call.printed());
    assertThat(json.path("format").asString()).isEqualTo("terrace-plan/1");
    assertThat(json.path("highestProfit").path("configuration").asString())
        .isEqualTo("1/1/0/1 postgresql");
    assertThat(JsonMapper.shared().readTree(Files.readString(out.resolve("plan.json"))))
        .isEqualTo(json);
  }

  @Test
  void pricesOfTheMeshsOwnDirectoryAreTakenElseItsOwnElsePlaceholders() throws IOException {
    MeshFile.write(directory.resolve(MeshFile.NAME), mesh(Status.DONE));
    assertThat(plan()).isZero();
    assertThat(call.printed()).contains("units/h");

    Files.writeString(
        directory.resolve("specification.yaml"),
        "kind: Mesh\nprices: {currency: CHF, servers: {normal: 1}, requests: {others: {within: 1s,"
            + " revenue: 0.001}}}\n");
    assertThat(plan()).isZero();
    assertThat(call.printed()).contains("CHF/h");

    prices("prices.yaml", "0.10");
    assertThat(plan()).isZero();
    assertThat(call.printed()).contains("EUR/h");
  }

  @Test
  void whatIsMissingIsSaidWithExitCode2() throws IOException {
    assertThat(plan()).isEqualTo(2);
    assertThat(call.errors()).contains("mesh.json").contains("no such file");

    MeshFile.write(directory.resolve(MeshFile.NAME), mesh(Status.FAILED));
    assertThat(plan()).isEqualTo(2);
    assertThat(call.errors()).contains("no trial was done");

    MeshFile.write(directory.resolve(MeshFile.NAME), mesh(Status.DONE));
    Path other =
        Files.writeString(
            directory.resolve("other.yaml"),
            "kind: Prices\nservers: {L: 1}\nrequests: {others: {within: 1s, revenue: 1}}\n");
    assertThat(plan("--prices", other.toString())).isEqualTo(2);
    assertThat(call.errors()).contains("other.yaml").contains("type 'normal'");
  }

  @Test
  void aClassOfRequestsThatNoTrialHasIsNamed() throws IOException {
    MeshFile.write(directory.resolve(MeshFile.NAME), mesh(Status.DONE));
    Path prices = prices("prices.yaml", "0.10");
    assertThat(plan()).isZero();
    assertThat(call.printed()).doesNotContain("count for nothing");

    Files.writeString(
        prices,
        Files.readString(prices).replace("{others:", "{Hoem: {within: 1s, revenue: 1}, others:"));
    String said =
        "The prices name 'Hoem', and no trial has such requests: these terms count for nothing."
            + " The trials have Home.";
    assertThat(plan()).isZero();
    assertThat(call.printed()).contains(said);
    assertThat(PlanCall.loud(directory).errors()).contains(said);
    assertThat(directory.resolve("plan.html"))
        .content()
        .contains(said.replace("'", "&#39;"), "a request Hoem, of which no trial has any");
    assertThat(plan("--json")).isZero();
    JsonNode unknown =
        JsonMapper.shared().readTree(call.printed()).path("prices").path("unknownClasses");
    assertThat(unknown).hasSize(1);
    assertThat(unknown.path(0).asString()).isEqualTo("Hoem");
  }

  @Test
  void aMeshThatWasInterruptedSaysHowManyTrialsAreMissing() throws IOException {
    MeshFile.write(directory.resolve(MeshFile.NAME), mesh(Status.DONE));
    prices("prices.yaml", "0.10");
    assertThat(plan()).isZero();
    assertThat(call.printed()).doesNotContain("not run");

    List<MeshTrial> trials = new ArrayList<>(mesh(Status.DONE).trials());
    trials.set(3, mesh(Status.SKIPPED).trials().get(3));
    MeshFile.write(directory.resolve(MeshFile.NAME), new Mesh("two", Map.of(), trials));
    String said = "1 of the 4 planned trials was not run: the plan rests on the 3 that are done.";
    assertThat(plan()).isZero();
    assertThat(call.printed()).contains(said);
    assertThat(directory.resolve("plan.html")).content().contains(said);
  }

  @Test
  void ofConfigurationsThatWereNotRunItIsNotSaidThatTheyEarnLess() throws IOException {
    List<MeshTrial> trials = new ArrayList<>();
    for (int servers = 1; servers <= 6; servers++) {
      for (int repeat = 0; repeat < 3; repeat++) {
        MeshTrial one = trial(ONE.withServers("app", servers), 200, repeat, 900 - 100L * servers);
        trials.add(servers <= 2 ? one : without(Status.SKIPPED, one.configuration(), 200, repeat));
      }
    }
    MeshFile.write(directory.resolve(MeshFile.NAME), new Mesh("six", Map.of(), trials));
    prices("prices.yaml", "0.10");

    assertThat(plan()).isZero();
    String said =
        "All others that were measured earn less there, beyond chance. 4 were not measured there.";
    assertThat(call.printed()).contains(said).contains("4 not measured");
    assertThat(directory.resolve("plan.html")).content().contains(said, "4 not measured");
    assertThat(plan("--json")).isZero();
    JsonNode load = JsonMapper.shared().readTree(call.printed()).path("loads").path(0);
    assertThat(load.path("told").asBoolean()).isFalse();
    assertThat(load.path("notMeasured").asInt()).isEqualTo(4);
  }

  @Test
  void whereTheLoadIsVariedEachIsPlannedByItself() throws IOException {
    List<MeshTrial> trials = new ArrayList<>();
    for (String think : List.of("exp(1s)", "exp(7s)")) {
      for (int servers = 1; servers <= 2; servers++) {
        Configuration each =
            new Configuration(
                "1/" + servers + "/0/1",
                "postgresql",
                Map.of(),
                Map.of("load.closed.think", think));
        for (int repeat = 0; repeat < 3; repeat++) {
          long count = (think.equals("exp(1s)") ? 7_000L * servers : 1_000L) + repeat;
          trials.add(trial(each, 100, repeat, count));
          trials.add(trial(each, 200, repeat, count));
        }
      }
    }
    MeshFile.write(directory.resolve(MeshFile.NAME), new Mesh("two", Map.of(), trials));
    Path prices = prices("prices.yaml", "0.10");

    assertThat(plan()).as(call.errors()).isZero();
    assertThat(call.printed())
        .contains("200 (load.closed.think=exp(1s))", "200 (load.closed.think=exp(7s))")
        .contains("EUR an hour at 100 users (load.closed.think=exp(1s))")
        .contains("All others earn less there, beyond chance.");
    assertThat(directory.resolve("plan.html"))
        .content()
        .contains("100 users (load.closed.think=exp(7s))");
    assertThat(plan("--json")).isZero();
    JsonNode loads = JsonMapper.shared().readTree(call.printed()).path("loads");
    assertThat(loads).hasSize(4);
    assertThat(loads.path(1).path("variation").path("load.closed.think").asString())
        .isEqualTo("exp(7s)");
    assertThat(loads.path(1).path("best").path("configuration").asString()).startsWith("1/1/0/1 ");

    Files.writeString(prices, Files.readString(prices) + "day: [{at: \"00:00\", users: 200}]\n");
    assertThat(plan()).isEqualTo(2);
    assertThat(call.errors())
        .contains("prices.yaml", "which does not say which of the loads", "exp(7s)");
  }

  @Test
  void aTrialThatCountsAtALaterAttemptSaysWhyTheEarlierOneDoesNot() throws IOException {
    List<MeshTrial> trials = new ArrayList<>(mesh(Status.DONE).trials());
    trials.set(1, trials.get(1).withEarlier(List.of("generator-lateness: late.")));
    MeshFile.write(directory.resolve(MeshFile.NAME), new Mesh("two", Map.of(), trials));
    prices("prices.yaml", "0.10");

    assertThat(plan()).isZero();
    assertThat(call.printed())
        .contains(
            "1/1/0/1, 200 users, repeat 2, counts at attempt 2. Attempt 1: generator-lateness:"
                + " late.");
    assertThat(directory.resolve("plan.html"))
        .content()
        .contains("1 trial counts only at a later attempt.");
    assertThat(plan("--json")).isZero();
    JsonNode json = JsonMapper.shared().readTree(call.printed());
    assertThat(json.path("trials").path("laterAttempts").asInt()).isEqualTo(1);
  }

  /**
   * The larger one earns most by far in the one trial in three that its servers survived, and in
   * one of two under more users; another dies always, and at 300 users all do.
   */
  @Test
  void whatDiesIsNamedAndTheSurvivorsAreNotToldBeyondChance() throws IOException {
    Configuration two = ONE.withServers("app", 2);
    Configuration three = ONE.withServers("app", 3);
    List<MeshTrial> trials = new ArrayList<>();
    for (int repeat = 0; repeat < 3; repeat++) {
      trials.add(trial(ONE, 100, repeat, 1_000 + repeat));
      trials.add(trial(two, 100, repeat, 500 + repeat));
      trials.add(failed(three, 100, repeat));
      trials.add(trial(ONE, 200, repeat, 1_000 + repeat));
      trials.add(repeat == 0 ? trial(two, 200, 0, 9_000) : failed(two, 200, repeat));
      trials.add(failed(ONE, 300, repeat));
      trials.add(trial(ONE, 400, repeat, 1_000 + repeat));
    }
    trials.add(trial(two, 400, 0, 9_000));
    trials.add(failed(two, 400, 1));
    Path mesh = directory.resolve(MeshFile.NAME);
    MeshFile.write(mesh, new Mesh("three", Map.of(), trials));
    Files.writeString(
        mesh,
        Files.readString(mesh)
            .replace(
                "\"status\":\"failed\",",
                "\"status\":\"failed\",\"reason\":\"servers-alive: app1 was killed.\","));
    prices("prices.yaml", "0.10");

    assertThat(plan()).isZero();
    String said =
        "1/2/0/1, 200 users: 2 of 3 trials failed (servers-alive: app1 was killed), so that it is"
            + " not ranked there.";
    assertThat(call.printed())
        .contains(said)
        .contains("1/3/0/1, 100 users: all 3 trials failed (servers-alive: app1 was killed).")
        .contains("1/2/0/1 (2 of 3 failed)", "1/2/0/1 (1 of 2 failed)")
        .contains("1/3/0/1 (all 3 failed)")
        .contains("none: all 3 trials failed")
        .contains(
            "Money is not lost from 100 (the least measured) to 200 users (trials failed at 300),"
                + " nor at 400 users (trials failed at 300, the most measured).")
        .contains("No trial like its own was repeated, so nothing can be told apart")
        .contains("Of its own trials there 1 failed: it may do worse than what was measured.")
        .doesNotContain("All others earn less there, beyond chance");
    assertThat(directory.resolve("plan.html"))
        .content()
        .contains("servers-alive: app1 was killed")
        .contains("none: all 3 trials failed")
        .contains("9 trials failed")
        .doesNotContain("All others earn less there, beyond chance");
    assertThat(plan("--json")).isZero();
    JsonNode json = JsonMapper.shared().readTree(call.printed());
    JsonNode loads = json.path("loads");
    assertThat(loads.path(0).path("told").asBoolean()).as("one was lost").isFalse();
    assertThat(loads.path(0).path("others")).hasSize(1);
    assertThat(loads.path(0).path("lost").path(0).path("failed").asInt()).isEqualTo(3);
    assertThat(loads.path(1).path("best").path("configuration").asString())
        .as("the other survived once of three times")
        .isEqualTo("1/1/0/1 postgresql");
    assertThat(loads.path(1).path("lost").path(0).path("done").asInt()).isEqualTo(1);
    assertThat(loads.path(1).path("lost").path(0).path("failures").path(0).asString())
        .isEqualTo("servers-alive: app1 was killed.");
    assertThat(loads.path(2).path("told").asBoolean()).as("the best survived once").isFalse();
    assertThat(loads.path(2).path("best").path("failed").asInt()).isEqualTo(1);
    assertThat(loads.path(2).path("best").path("failures").path(0).asString())
        .isEqualTo("servers-alive: app1 was killed.");
    assertThat(loads.path(2).path("ties")).hasSize(1);
    JsonNode stretch = json.path("breakEven").path(0);
    assertThat(stretch.path("toUsers").asInt()).isEqualTo(200);
    assertThat(stretch.path("failedAbove").asInt()).isEqualTo(300);
    assertThat(stretch.path("failedBelow").isNull()).isTrue();
    assertThat(json.path("unmeasured").path(0).path("users").asInt()).isEqualTo(300);
  }

  @Test
  void aDayNamesWhatItLeavesOutAndWhatItInterpolates() throws IOException {
    List<MeshTrial> trials = new ArrayList<>(mesh(Status.DONE).trials());
    MeshTrial one = trials.getFirst();
    trials.add(one.at(one.configuration(), 400, 0));
    MeshFile.write(directory.resolve(MeshFile.NAME), new Mesh("two", Map.of(), trials));
    Path prices = prices("prices.yaml", "0.10");
    Files.writeString(
        prices,
        Files.readString(prices)
            + "day: [{at: \"00:00\", users: 200}, {at: \"08:00\", users: 300}]\n");

    assertThat(plan()).isZero();
    String left =
        "Left out, since not measured with so many users: 1/2/0/1 at 300 users (up to 200).";
    assertThat(call.printed())
        .contains(left)
        .contains("income is interpolated as a straight line")
        .contains("from 08:00 (300 users)");
    assertThat(directory.resolve("plan.html"))
        .content()
        .contains("1/2/0/1 at 300 users (up to 200)");
    assertThat(plan("--json")).isZero();
    JsonNode day = JsonMapper.shared().readTree(call.printed()).path("day");
    assertThat(day.path("leftOut").path(0).path("reason").asString()).isEqualTo("not-measured");
    assertThat(day.path("leftOut").path(0).path("users").path(0).asInt()).isEqualTo(300);
    assertThat(day.path("steps").path(0).path("interpolated").asBoolean()).isFalse();
    assertThat(day.path("steps").path(1).path("interpolated").asBoolean()).isTrue();
  }

  @Test
  void aDaySaysWhichHoursCannotBeToldSinceAllTrialsFailed() throws IOException {
    List<MeshTrial> trials = new ArrayList<>(mesh(Status.DONE).trials());
    trials.add(failed(ONE, 400, 0));
    trials.add(failed(ONE.withServers("app", 2), 400, 0));
    MeshFile.write(directory.resolve(MeshFile.NAME), new Mesh("two", Map.of(), trials));
    Path prices = prices("prices.yaml", "0.10");
    String loads = "day: [{at: \"00:00\", users: 200}, {at: \"08:00\", users: %d}]\n";
    String text = Files.readString(prices);
    Files.writeString(prices, text + loads.formatted(300));

    assertThat(plan()).as(call.errors()).isZero();
    String said =
        "What to run cannot be told, since most trials failed, from 08:00 to 00:00 (300 users)";
    assertThat(call.printed())
        .contains(said, "00:00       200 users  1/2/0/1")
        .contains("most of its trials failed about the load: 1/1/0/1 at 300 users, 1/2/0/1 at 300");
    assertThat(directory.resolve("plan.html")).content().contains(said);
    assertThat(plan("--json")).isZero();
    JsonNode day = JsonMapper.shared().readTree(call.printed()).path("day");
    assertThat(day.path("steps")).hasSize(1);
    assertThat(day.path("untold").path(0).path("at").asString()).isEqualTo("08:00");
    assertThat(day.path("untold").path(0).path("minutes").asInt()).isEqualTo(960);

    Files.writeString(prices, text + loads.formatted(500));
    assertThat(plan()).as("a load that nobody tried").isEqualTo(2);
  }

  /** Two of equal price that differ by less than their repeats, with another first at each load. */
  @Test
  void aDaySaysWhereItsGainCannotBeTold() throws IOException {
    Path prices = prices("prices.yaml", "0.10");
    Files.writeString(
        prices,
        Files.readString(prices)
            + "day: [{at: \"00:00\", users: 100}, {at: \"08:00\", users: 200}]\n");
    Configuration other = new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of("pool", "9"));
    for (int repeats = 1; repeats <= 3; repeats += 2) {
      List<MeshTrial> trials = new ArrayList<>();
      for (int repeat = 0; repeat < repeats; repeat++) {
        long noise = 20L * (repeat % 2);
        trials.add(trial(ONE, 100, repeat, 500 + noise));
        trials.add(trial(other, 100, repeat, 501 + noise));
        trials.add(trial(ONE, 200, repeat, 1_001 + noise));
        trials.add(trial(other, 200, repeat, 1_000 + noise));
      }
      MeshFile.write(directory.resolve(MeshFile.NAME), new Mesh("two", Map.of(), trials));

      assertThat(plan()).isZero();
      String why = repeats == 1 ? "was not repeated, nor any like it, so" : "95 % interval -";
      assertThat(call.printed())
          .contains("That a day that changes earns more cannot be told")
          .contains(why);
      assertThat(directory.resolve("plan.html")).content().contains("earns more cannot be told");
      assertThat(plan("--json")).isZero();
      JsonNode gain = JsonMapper.shared().readTree(call.printed()).path("day").path("gain");
      assertThat(gain.path("perDay").asDouble()).isPositive();
      assertThat(gain.path("low").isNull()).isEqualTo(repeats == 1);
      assertThat(gain.path("repeats").asInt()).isEqualTo(repeats);
    }
  }

  private int plan(String... options) {
    call = PlanCall.of(directory, options);
    return call.code();
  }

  private Path prices(String name, String server) throws IOException {
    return PlanTrials.prices(directory, name, server);
  }
}
