package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cli.PlanTrials.ONE;
import static org.terrace.cli.PlanTrials.failed;
import static org.terrace.cli.PlanTrials.mesh;
import static org.terrace.cli.PlanTrials.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.mesh.MeshFile;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The words of a day's plan. */
class PlanDayTest {
  @TempDir Path directory;

  private PlanCall call;

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
      String why =
          repeats == 1 ? "a load of it was not repeated, nor any like it, so" : "95 % interval -";
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
