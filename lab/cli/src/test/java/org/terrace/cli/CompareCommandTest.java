package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.report.FindingsFile;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class CompareCommandTest {
  private static final int REQUESTS = 2_000;

  @TempDir Path directory;

  /** The number of results made, which tells each from those of alike servers. */
  private int made;

  private record Call(int exitCode, String output, String messages) {}

  /** A result of a server whose every answer takes about so long, unlike all others. */
  private Path result(String name, String server, int micros) throws IOException {
    return result(name, server, micros, "OK");
  }

  private Path result(String name, String server, int micros, String outcome) throws IOException {
    made++;
    StringBuilder text = new StringBuilder("server,arrivalNanos,departureNanos,outcome\n");
    for (int request = 0; request < REQUESTS; request++) {
      long arrival = 1_795_342_500_000_000_000L + request * 5_000_000L;
      long nanos = micros * 1_000L + request % 97 * 1_000L + made;
      String row = String.format("%s,%d,%d,%s%n", server, arrival, arrival + nanos, outcome);
      text.append(row);
    }
    Path table = directory.resolve("requests.csv");
    Files.writeString(table, text);
    Path result = directory.resolve(name);
    Call call = call("analyze", table.toString(), "--out", result.toString(), "--quiet");
    assertThat(call.exitCode()).as(call.messages()).isZero();
    return result;
  }

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

  /** As where one of the repeats crashed: the others alone would tell of those that did not. */
  @Test
  void aRunWithoutFindingsIsNotPassedOver() throws IOException {
    for (int repeat = 1; repeat <= 2; repeat++) {
      result("before/" + repeat, "app1", 2_000 + repeat);
      result("after/" + repeat, "app1", 2_000 + repeat);
    }
    Path crashed = Files.createDirectory(directory.resolve("after/3"));
    Files.writeString(crashed.resolve("specification.yaml"), "kind: Experiment");
    String before = directory.resolve("before").toString();

    Call call = call("compare", before, directory.resolve("after").toString());

    assertThat(call.exitCode()).isEqualTo(2);
    assertThat(call.messages()).contains(crashed + ": it has no findings");
  }

  @Test
  void aSlowerVersionIsWorseAndAnEqualOneIsNot() throws IOException {
    for (int repeat = 1; repeat <= 3; repeat++) {
      result("before/" + repeat, "app1", 2_000 + repeat);
      result("equal/" + repeat, "app1", 2_000 + 2 * repeat);
      result("slow/" + repeat, "app1", 2_600 + repeat);
    }
    String before = directory.resolve("before").toString();

    Call equal = call("compare", before, directory.resolve("equal").toString());
    Call slow = call("compare", before, directory.resolve("slow").toString(), "--json");
    Call table = call("compare", before, directory.resolve("slow").toString(), "--markdown");

    assertThat(equal.exitCode()).as(equal.output()).isZero();
    assertThat(equal.output()).contains("app1 p50", "app1 p99", "app1 throughput", "same");
    assertThat(slow.exitCode()).isEqualTo(1);
    JsonNode json = JsonMapper.shared().readTree(slow.output());
    assertThat(json.path("format").asString()).isEqualTo("terrace-compare/1");
    assertThat(json.path("verdict").asString()).isEqualTo("worse");
    assertThat(json.path("metrics").path(0).path("low").asDouble()).isGreaterThan(1.05);
    assertThat(table.exitCode()).isEqualTo(1);
    assertThat(table.output()).startsWith("| figure |").contains("| app1 p50 |", "| worse |");
  }

  /** Many a server fails faster than it answers. */
  @Test
  void aFasterVersionWhoseAnswersAreErrorsIsWorse() throws IOException {
    for (int repeat = 1; repeat <= 3; repeat++) {
      result("before/" + repeat, "app1", 2_000 + repeat);
      result("failing/" + repeat, "app1", 400 + repeat, "ERROR");
    }

    Call call =
        call(
            "compare",
            directory.resolve("before").toString(),
            directory.resolve("failing").toString());

    assertThat(call.exitCode()).as(call.output()).isEqualTo(1);
    assertThat(call.output()).containsPattern("app1 errors +0.000 % +100.0 % .*worse");
  }

  @Test
  void aFigureBeyondItsLimitFailsAndIsToldToAPipeline() throws IOException {
    result("first", "app1", 2_000);
    String table = directory.resolve("requests.csv").toString();
    Path junit = directory.resolve("terrace.xml");

    Call slow =
        call(
            "analyze",
            table,
            "--out",
            directory.resolve("slow").toString(),
            "--fail-if",
            "users p99 > 1ms",
            "--fail-if",
            "db1 errors > 1%",
            "--junit",
            junit.toString());
    Call again =
        call("report", directory.resolve("slow").toString(), "--fail-if", "users p99 > 9s");
    Call bad = call("report", directory.resolve("slow").toString(), "--fail-if", "p99 > 1ms");

    assertThat(slow.exitCode()).isEqualTo(1);
    Findings findings = FindingsFile.read(directory.resolve("slow/findings.json"));
    assertThat(findings.thresholds())
        .extracting(Threshold.Judgement::condition, Threshold.Judgement::failed)
        .containsExactly(
            tuple("users p99 > 1ms", true),
            tuple("db1 errors > 1%", true),
            tuple("users p99 > 9s", false));
    assertThat(junit)
        .content()
        .contains("tests=\"2\" failures=\"2\"")
        .contains("name=\"users p99 &gt; 1ms\"><failure message=\"users p99 is 2.")
        .contains("cannot be judged");
    assertThat(again.exitCode()).as("its own conditions still fail").isEqualTo(1);
    assertThat(bad.exitCode()).isEqualTo(2);
    assertThat(bad.messages()).contains("--fail-if", "no condition", "users p99 > 200ms");
  }

  @Test
  void oneResultASideCannotTellWhichStrictTakesForAFailure() throws IOException {
    String one = result("one", "app1", 2_000).toString();
    String other = result("other", "app1", 4_000).toString();

    Call call = call("compare", one, other);
    Call strict = call("compare", one, other, "--strict");

    assertThat(call.exitCode()).isZero();
    assertThat(call.output()).contains("cannot tell", "none: one result");
    assertThat(strict.exitCode()).isEqualTo(1);
  }

  @Test
  void whatCannotBeComparedSaysWhy() throws IOException {
    String one = result("app", "app1", 2_000).toString();
    String other = result("db", "db1", 2_000).toString();

    Call servers = call("compare", one, other);
    Call nothing = call("compare", one, directory.resolve("nowhere").toString());
    Call empty = call("compare", "", other);
    Call margin = call("compare", one, one, "--margin", "0");

    assertThat(servers.exitCode()).isEqualTo(2);
    assertThat(servers.messages()).contains("not comparable", "[db1]", "[app1]");
    assertThat(nothing.exitCode()).isEqualTo(2);
    assertThat(nothing.messages()).contains("no such directory");
    assertThat(empty.exitCode()).isEqualTo(2);
    assertThat(empty.messages()).as("as of a variable that is not set").contains("a name");
    assertThat(margin.exitCode()).isEqualTo(2);
  }

  /** A pipeline's link to the newest of numbered results, and the old one of a killed command. */
  @Test
  void aLinkToAResultAndOneThatWasReplacedAreNoRepeats() throws IOException {
    Path before = result("before/1", "app1", 2_000);
    Path after = result("after/1", "app1", 2_300);
    Files.createSymbolicLink(before.resolveSibling("latest"), Path.of("1"));
    Files.createSymbolicLink(after.resolveSibling("latest"), Path.of("1"));
    result("after/1.replaced", "app1", 2_400);
    result("after/1.replacing", "app1", 2_400);

    Call call =
        call("compare", before.getParent().toString(), after.getParent().toString(), "--strict");

    assertThat(call.exitCode()).isEqualTo(1);
    assertThat(call.messages()).contains("1 result before, 1 after");
    assertThat(call.output()).contains("none: one result");
  }

  @Test
  void aResultUnderTwoNamesIsNoRepeatOfItself() throws IOException {
    Path one = result("one", "app1", 2_000);
    Path other = result("other", "app1", 2_300);
    Path link = Files.createSymbolicLink(directory.resolve("again"), one);

    Call call = call("compare", one + "," + link, other.toString());

    assertThat(call.exitCode()).isEqualTo(2);
    assertThat(call.messages()).contains(link + ": it is named twice");
  }

  /** A result may be kept elsewhere, too, as in a backup: no interval may come of it. */
  @Test
  void aCopyOfAResultIsNoRepeat() throws IOException {
    Path one = result("before/1", "app1", 2_000);
    Path other = result("after/1", "app1", 2_300);
    Path copy = Files.createDirectories(directory.resolve("after/kept"));
    try (Stream<Path> files = Files.list(other)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }

    assertThat(call("report", copy.toString(), "--fail-if", "app1 p99 > 9s").exitCode()).isZero();

    Call repeated = call("compare", one.toString(), other.getParent().toString());
    Call both = call("compare", other.toString(), copy.toString());

    assertThat(repeated.exitCode()).as(repeated.output()).isEqualTo(2);
    assertThat(repeated.messages())
        .contains(copy + ": it found exactly what " + other + " found: a copy is no repeat");
    assertThat(both.exitCode()).as(both.output()).isEqualTo(2);
    assertThat(both.messages()).contains(copy + " found exactly what " + other);
  }

  /** Its own figures would halve each difference. */
  @Test
  void aResultIsNotComparedWithItself() throws IOException {
    result("before/1", "app1", 2_000);
    result("before/2", "app1", 2_001);
    Path before = directory.resolve("before");
    Path baseline = directory.resolve("baseline.json");
    assertThat(call("compare", "--set-baseline", baseline.toString(), before.toString()).exitCode())
        .isZero();
    result("before/3", "app1", 2_600);

    Call itself = call("compare", before.toString(), before.toString());
    Call based = call("compare", "--baseline", baseline.toString(), before.toString());

    assertThat(itself.exitCode()).isEqualTo(2);
    assertThat(itself.messages()).contains(before.resolve("1") + " is on both sides");
    assertThat(based.exitCode()).isEqualTo(2);
    assertThat(based.messages()).contains(before.resolve("2") + " is on both sides");
  }

  @Test
  void serversOnOtherHostsOrAnotherTargetAreNotCompared() throws IOException {
    Path local = result("local", "app1", 2_000);
    Path near = result("near", "app1", 2_000);
    Path far = result("far", "app1", 2_000);
    Path faster = result("faster", "app1", 2_000);
    Path updated = result("updated", "app1", 2_000);
    addFacts(near, "target", "namespaces");
    for (Path each : List.of(far, faster, updated)) {
      addFacts(each, "target", "ssh");
    }
    addFacts(far, "host app1", "8 cores, some cpu, kernel 6.1");
    addFacts(faster, "host app1", "16 cores, some cpu, kernel 6.1");
    addFacts(updated, "host app1", "8 cores, some cpu, kernel 6.2");

    for (Path other : List.of(near, far)) {
      Call call = call("compare", local.toString(), other.toString());
      assertThat(call.exitCode()).as(call.output()).isEqualTo(2);
      assertThat(call.messages()).contains("not comparable", "target=");
    }
    Call hosts = call("compare", far.toString(), faster.toString());
    Call kernels = call("compare", far.toString(), updated.toString());

    assertThat(hosts.exitCode()).as(hosts.output()).isEqualTo(2);
    assertThat(hosts.messages()).contains("16 cores");
    assertThat(kernels.exitCode()).as("a kernel is a version as others").isZero();
  }

  @Test
  void severalSidesAfterABaselineEachHaveAHeading() throws IOException {
    for (String name : List.of("before/1", "before/2", "one/1", "one/2", "other/1", "other/2")) {
      result(name, "app1", 2_000);
    }
    String baseline = directory.resolve("baseline.json").toString();
    call("compare", "--set-baseline", baseline, directory.resolve("before").toString());
    String one = "one=" + directory.resolve("one");
    String other = "other=" + directory.resolve("other");

    Call both = call("compare", "--baseline", baseline, one, other);
    Call single = call("compare", "--baseline", baseline, one);
    Call markdown = call("compare", "--baseline", baseline, one, other, "--markdown");

    assertThat(both.output()).contains("one after the baseline", "other after the baseline");
    assertThat(single.output()).doesNotContain("one after");
    assertThat(markdown.output()).contains("**one** after the", "**other** after the");
  }

  /** Else the first comparison with it would say so, and none would ever pass. */
  @Test
  void aBaselineIsNotMovedToResultsThatNothingCanBeComparedWith() throws IOException {
    Path one = result("before/1", "app1", 2_000);
    Path other = result("before/2", "app1", 2_001);
    Path baseline = directory.resolve("baseline.json");
    addFacts(other, "target", "ssh");
    Path bare = result("bare", "app1", 2_002);
    Files.delete(bare.resolve("facts.json"));

    Call mixed = call("compare", "--set-baseline", baseline.toString(), one.getParent().toString());
    Call unknown = call("compare", "--set-baseline", baseline.toString(), bare.toString());

    assertThat(mixed.exitCode()).isEqualTo(2);
    assertThat(mixed.messages()).contains("not comparable", other + " ran on");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.messages()).contains(bare + " has no facts.json");
    assertThat(baseline).doesNotExist();
  }

  @Test
  void aResultMayHaveACommaInItsName() throws IOException {
    String before = result("1,2 GHz", "app1", 2_000).toString();
    String after = result("1,4 GHz", "app1", 1_800).toString();
    String again = result("again", "app1", 1_800).toString();

    Call call = call("compare", before, after);
    Call list = call("compare", before, directory.resolve("1,4 GHz") + "," + again);

    assertThat(call.exitCode()).as(call.messages()).isZero();
    assertThat(list.exitCode()).as("a list parts at every comma").isEqualTo(2);
  }

  private static void addFacts(Path result, String name, String value) throws IOException {
    Path file = result.resolve("facts.json");
    ObjectNode facts = (ObjectNode) JsonMapper.shared().readTree(file);
    facts.withArrayProperty("machine").addObject().put("name", name).put("value", value);
    Files.writeString(file, facts.toString());
  }
}
