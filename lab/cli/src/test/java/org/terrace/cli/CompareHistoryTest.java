package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cli.history.History;
import org.terrace.testing.Seeds;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code terrace compare} over a history, and with a baseline. */
class CompareHistoryTest {
  private static final int REQUESTS = 300;
  private static final int POINTS = 60;
  private static final int CHANGED = 40;

  @TempDir Path directory;

  /** The number of results made, which tells each from those of alike servers. */
  private int made;

  private record Call(int exitCode, String output, String messages) {}

  private static Call call(String... arguments) {
    StringWriter messages = new StringWriter();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    CommandLine line = Terrace.commandLine().setErr(new PrintWriter(messages));
    PrintStream standard = System.out;
    System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
    try {
      return new Call(
          line.execute(arguments), output.toString(StandardCharsets.UTF_8), messages.toString());
    } finally {
      System.setOut(standard);
    }
  }

  /** Points with a noise of one per cent, which are multiplied from one on. */
  private Path csv(String name, int points, double factor) throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("history " + name));
    List<String> lines = new ArrayList<>(List.of("time,label,metric,value,unit"));
    for (int i = 0; i < points; i++) {
      // So that the last value of a level cannot pass for one of the next.
      boolean last = i == CHANGED - 1 || i == points - 1;
      double noise = last ? 1 - factor : random.nextGaussian();
      double value = (i < CHANGED ? 1 : factor) * 20 * Math.exp(0.01 * noise);
      lines.add(
          String.format(
              Locale.ROOT,
              "%s,build-%d,users p99,%.4f,ms",
              LocalDate.of(2026, 1, 1).plusDays(i),
              i,
              value));
    }
    return Files.write(directory.resolve(name), lines);
  }

  @Test
  void anAcknowledgementIsOfOneFileAlone() throws IOException {
    String one = csv("one.csv", POINTS, 1.2).toString();
    String other = csv("other.csv", POINTS, 1.2).toString();

    assertThat(call("compare", "--history", one, "--acknowledge", "all").exitCode()).isZero();
    assertThat(call("compare", "--history", one).exitCode()).isZero();
    assertThat(call("compare", "--history", other).exitCode()).isEqualTo(1);
  }

  @Test
  void aWorseningFailsUntilItIsAcknowledgedOnce() throws IOException {
    String history = csv("worse.csv", POINTS, 1.2).toString();

    Call worse = call("compare", "--history", history);
    Call unknown = call("compare", "--history", history, "--acknowledge", "users p99@build-1");
    Call acknowledging =
        call("compare", "--history", history, "--acknowledge", "users p99@build-40");
    Call after = call("compare", "--history", history, "--json");

    assertThat(worse.exitCode()).as(worse.output()).isEqualTo(1);
    assertThat(worse.messages()).contains("users p99@build-40", "--acknowledge");
    assertThat(worse.output()).contains("40 + ", "x 1.", "worse, told at build-");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.messages()).contains("no such change", "users p99@build-40");
    assertThat(acknowledging.exitCode()).as(acknowledging.messages()).isZero();
    assertThat(directory.resolve("worse.csv.acknowledged-changes"))
        .content()
        .contains("terrace-acknowledged/1", "build-40");
    assertThat(after.exitCode()).isZero();
    JsonNode json = JsonMapper.shared().readTree(after.output());
    JsonNode change = json.path("figures").path(0).path("changes").path(0);
    assertThat(json.path("format").asString()).isEqualTo("terrace-history/1");
    assertThat(json.path("verdict").asString()).isEqualTo("same");
    assertThat(change.path("acknowledged").asBoolean()).isTrue();
    assertThat(change.path("verdict").asString()).isEqualTo("worse");
    assertThat(change.path("low").asDouble()).isGreaterThan(1.1);
    assertThat(json.path("figures").path(0).path("points").size()).isEqualTo(POINTS);
  }

  @Test
  void aSecondWorseningFailsAlthoughTheFirstIsAcknowledged() throws IOException {
    Path history = csv("twice.csv", POINTS, 1.2);
    assertThat(call("compare", "--history", history.toString(), "--acknowledge", "all").exitCode())
        .isZero();
    List<String> lines = new ArrayList<>(Files.readAllLines(history));
    for (int i = 0; i < 30; i++) {
      lines.add("2027-01-01,later-" + i + ",users p99," + (40 + i % 3) + ",ms");
    }
    Files.write(history, lines);

    Call call = call("compare", "--history", history.toString(), "--markdown");

    assertThat(call.exitCode()).isEqualTo(1);
    assertThat(call.messages()).contains("users p99@later-0").doesNotContain("@build-40");
    assertThat(call.output())
        .startsWith("| figure | points |")
        .contains("build-40 | worse, acknowledged", "later-0 | worse, told");
  }

  @Test
  void whatIsBetterOrSteadyPassesAndSignsFailWhereStrict() throws IOException {
    Call better = call("compare", "--history", csv("better.csv", POINTS, 0.8).toString());
    Call steady = call("compare", "--history", csv("steady.csv", CHANGED, 1).toString());
    String begun = csv("begun.csv", CHANGED + 6, 2).toString();
    Call signs = call("compare", "--history", begun);
    Call strict = call("compare", "--history", begun, "--strict");
    Call few = call("compare", "--history", csv("few.csv", 19, 1).toString());

    assertThat(better.exitCode()).isZero();
    assertThat(better.output()).contains("better, told at");
    assertThat(steady.exitCode()).isZero();
    assertThat(signs.exitCode()).as(signs.output()).isZero();
    assertThat(signs.output()).contains("cannot tell: signs in the newest 6 points");
    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(strict.messages()).contains("cannot tell", "add points");
    assertThat(few.exitCode()).isEqualTo(2);
    assertThat(few.messages()).contains("not comparable", "19 points", "from 20 on");
  }

  @Test
  void oneNewestPointFarOutsideCannotTell() throws IOException {
    String history = csv("far.csv", CHANGED + 1, 10).toString();

    Call lenient = call("compare", "--history", history);
    Call strict = call("compare", "--history", history, "--strict");

    assertThat(lenient.exitCode()).as(lenient.output()).isZero();
    assertThat(lenient.output()).contains("cannot tell: signs in the newest point,");
    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(strict.messages()).contains("signs of a change at build-40 (newest point, x 9.");
  }

  /** Adds a steady figure that only some builds have, each in as many as the step says. */
  private static void addFigure(Path history, String name, int from, int to, int step)
      throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(history));
    for (int i = from; i < to; i += step) {
      lines.add(
          "%s,build-%d,%s,%d,ms"
              .formatted(LocalDate.of(2026, 1, 1).plusDays(i), i, name, 100 + i / step % 3));
    }
    Files.write(history, lines);
  }

  @Test
  void aFigureThatEndsIsMissingUntilThatIsAcknowledged() throws IOException {
    Path file = csv("ended.csv", CHANGED, 1);
    addFigure(file, "users p50", 0, 30, 1);
    String history = file.toString();

    Call ended = call("compare", "--history", history);
    Call known = call("compare", "--history", history, "--acknowledge", "users p50@build-30");
    Call after = call("compare", "--history", history, "--json", "--strict");
    addFigure(file, "users p50", 35, CHANGED, 1);
    Call back = call("compare", "--history", history, "--strict");

    assertThat(ended.output())
        .contains("worse: 10 results lack it")
        .doesNotContain("p50  no change");
    assertThat(ended.messages()).contains("users p50@build-30 (missing)");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(known.exitCode()).as(known.messages()).isZero();
    assertThat(after.exitCode()).as(after.messages()).isZero();
    JsonNode missing =
        JsonMapper.shared()
            .readTree(after.output())
            .path("figures")
            .path(1)
            .path("missing")
            .path(0);
    assertThat(missing.path("at").asString()).isEqualTo("build-30");
    assertThat(missing.path("results").asInt()).isEqualTo(10);
    assertThat(missing.path("backAt").isNull()).isTrue();
    assertThat(missing.path("acknowledged").asBoolean()).isTrue();
    assertThat(back.exitCode()).as(back.messages()).isZero();
    assertThat(back.output()).contains("worse, acknowledged: 5 results lack it, back at build-35");
  }

  @Test
  void aFigureThatComesSeldomIsMissingWhenItStaysAwayForLonger() throws IOException {
    Path file = csv("seldom.csv", CHANGED, 1);
    addFigure(file, "users p50", 0, CHANGED, 2);
    addFigure(file, "users p90", 1, CHANGED, 7);

    Call call = call("compare", "--history", file.toString());

    assertThat(call.exitCode()).as(call.output()).isZero();
    addFigure(file, "users p10", 0, CHANGED - 3, 2);
    Call ended = call("compare", "--history", file.toString());
    assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
    assertThat(ended.messages()).contains("users p10@build-37").doesNotContain("p50", "p90");
  }

  /** A result of a server whose every answer takes about so long, unlike all others. */
  private Path result(String name, String server, int micros) throws IOException {
    made++;
    StringBuilder text = new StringBuilder("server,arrivalNanos,departureNanos\n");
    for (int request = 0; request < REQUESTS; request++) {
      long arrival = 1_795_342_500_000_000_000L + request * 5_000_000L;
      long nanos = micros * 1_000L + request % 97 * 1_000L + made;
      text.append(String.format(Locale.ROOT, "%s,%d,%d%n", server, arrival, arrival + nanos));
    }
    Path table = directory.resolve("requests.csv");
    Files.writeString(table, text);
    Path result = directory.resolve(name);
    Call call = call("analyze", table.toString(), "--out", result.toString(), "--quiet");
    assertThat(call.exitCode()).as(call.messages()).isZero();
    return result;
  }

  @Test
  void resultsAreAHistoryInTheOrderOfTheirNames() throws IOException {
    for (int i = 1; i <= 32; i++) {
      result("runs/" + i, "app1", (i <= 16 ? 2_000 : 3_000) + i % 5 * 10);
    }
    Path runs = directory.resolve("runs");
    Files.createSymbolicLink(runs.resolve("newest"), Path.of("32"));
    result("runs/32.replaced", "app1", 2_000);

    Call worse = call("compare", "--history", runs.toString());
    Call strangers =
        call("compare", "--history", runs.toString(), result("db", "db1", 2_000).toString());
    Call acknowledging = call("compare", "--history", runs.toString(), "--acknowledge", "all");

    assertThat(worse.exitCode()).as(worse.output()).isEqualTo(1);
    assertThat(worse.messages()).contains("app1 p50@17");
    assertThat(History.read(List.of(runs.toString())).figures().getFirst().points()).hasSize(32);
    assertThat(strangers.exitCode()).isEqualTo(2);
    assertThat(strangers.messages()).contains("not comparable", "[db1]", "[app1]");
    assertThat(acknowledging.exitCode()).as(acknowledging.messages()).isZero();
    assertThat(runs.resolve("acknowledged-changes")).exists();
    assertThat(call("compare", "--history", runs.toString()).exitCode()).isZero();
  }

  /** The directory that a run leaves which failed before it had findings. */
  private void failedRun(String name) throws IOException {
    Path unfinished = Files.createDirectories(directory.resolve(name + ".unfinished"));
    Files.writeString(unfinished.resolve("specification.yaml"), "kind: Experiment\n");
  }

  @Test
  void runsThatLeftNoResultAreNamedAndNoHistoryWhoseNewestDidSaysThatNothingChanged()
      throws IOException {
    for (int i = 1; i <= 24; i++) {
      result("runs/build-" + i, "app1", 2_000 + i % 5 * 10);
    }
    String runs = directory.resolve("runs").toString();
    failedRun("runs/build-7");

    Call within = call("compare", "--history", runs, "--strict");

    assertThat(within.exitCode()).as(within.messages()).isZero();
    assertThat(within.output()).contains("no change");
    assertThat(History.read(List.of(runs)).notes())
        .singleElement()
        .asString()
        .contains("build-7.unfinished is left out");

    for (int i = 25; i <= 29; i++) {
      failedRun("runs/build-" + i);
    }
    Call newest = call("compare", "--history", runs);
    Call strict = call("compare", "--history", runs, "--strict");
    Call json = call("compare", "--history", runs, "--json");
    Call named =
        call(
            "compare",
            "--history",
            runs,
            directory.resolve("runs/build-29.unfinished").toString(),
            "--strict");

    assertThat(newest.exitCode()).isZero();
    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(strict.messages())
        .contains("cannot tell", "(build-25, build-26, build-27 and 2 more)");
    JsonNode told = JsonMapper.shared().readTree(json.output());
    assertThat(told.path("verdict").asString()).isEqualTo("cannot tell");
    assertThat(told.path("newestLeftOut").size()).isEqualTo(5);
    assertThat(named.exitCode()).isEqualTo(1);
  }

  @Test
  void aBaselineMovesByCommandAlone() throws IOException {
    for (int repeat = 1; repeat <= 3; repeat++) {
      result("old/" + repeat, "app1", 2_000 + repeat);
      result("equal/" + repeat, "app1", 2_001 + repeat);
      result("new/" + repeat, "app1", 2_600 + repeat);
    }
    String equal = directory.resolve("equal").toString();
    String baseline = directory.resolve("kept/baseline.json").toString();
    String old = directory.resolve("old").toString();
    String fresh = directory.resolve("new").toString();

    Call none = call("compare", "--baseline", baseline, fresh);
    Call set = call("compare", "--set-baseline", baseline, old);
    String content = Files.readString(Path.of(baseline));
    Call worse = call("compare", "--baseline", baseline, "now=" + fresh);
    Call same = call("compare", "--baseline", baseline, equal);

    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.messages()).contains("no such file", "--set-baseline");
    assertThat(set.exitCode()).as(set.messages()).isZero();
    assertThat(worse.exitCode()).isEqualTo(1);
    assertThat(worse.messages()).contains("now is worse than the baseline");
    assertThat(same.exitCode()).as(same.messages()).isZero();
    assertThat(Path.of(baseline)).as("comparing moves nothing").hasContent(content);

    result("old/4", "app1", 9_000);
    Call added = call("compare", "--baseline", baseline, fresh, "--json");
    assertThat(
            JsonMapper.shared()
                .readTree(added.output())
                .path("metrics")
                .path(0)
                .path("runsBefore")
                .asInt())
        .as("a result that came later is none of the baseline's")
        .isEqualTo(3);

    Path findings = directory.resolve("old/2/findings.json");
    Files.writeString(findings, Files.readString(findings) + " ");
    Call moved = call("compare", "--baseline", baseline, fresh);
    assertThat(moved.exitCode()).isEqualTo(2);
    assertThat(moved.messages()).contains("written anew", "--set-baseline");
    assertThat(call("compare", "--set-baseline", baseline, fresh).exitCode()).isZero();
    assertThat(call("compare", "--baseline", baseline, equal).exitCode()).isZero();
  }

  @Test
  void severalSidesAfterAreEachComparedWithTheFirst() throws IOException {
    for (int repeat = 1; repeat <= 3; repeat++) {
      result("a/" + repeat, "app1", 2_000 + repeat);
      result("b/" + repeat, "app1", 2_000 + 2 * repeat);
      result("c/" + repeat, "app1", 2_600 + repeat);
    }
    String first = "first=" + directory.resolve("a");
    String second = "second=" + directory.resolve("b");
    String third = "third=" + directory.resolve("c");

    Call three = call("compare", first, second, third, "--json");
    Call equal = call("compare", first, second);

    assertThat(three.exitCode()).isEqualTo(1);
    assertThat(three.messages()).contains("third is worse than first");
    JsonNode json = JsonMapper.shared().readTree(three.output());
    assertThat(json.size()).isEqualTo(2);
    assertThat(json.path(0).path("after").asString()).isEqualTo("second");
    assertThat(json.path(1).path("verdict").asString()).isEqualTo("worse");
    assertThat(equal.exitCode()).isZero();
  }

  @Test
  void optionsThatDoNotGoTogetherAreRefused() {
    assertThat(call("compare", "a").messages()).contains("results before and results after");
    assertThat(call("compare", "a", "b", "--acknowledge", "x@y").messages())
        .contains("add --history");
    assertThat(call("compare", "--history", "--baseline", "f", "a").messages())
        .contains("expected one of them");
    assertThat(call("compare", "--set-baseline", "f", "a", "b").messages())
        .contains("takes one RESULT");
    assertThat(call("compare", "--history", "a", "--margin", "0").exitCode()).isEqualTo(2);
  }
}
