package org.terrace.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.benchmarks.BenchReport.Row;
import org.terrace.core.process.Keeper;
import org.terrace.core.process.ShortCommand;

/**
 * Other load generators under the nearest task each can do: as many users as Terrace's, thinking
 * seven seconds on average. None walks a site by the links of its pages.
 */
final class LoadPeers {
  private static final double THINK_SECONDS = 7;

  private final int users;
  private final int seconds;
  private final Path directory;

  LoadPeers(int users, int seconds, Path directory) {
    this.users = users;
    this.seconds = seconds;
    this.directory = directory;
  }

  /** The rows of all peers, measured or skipped. */
  List<Row> measure(URI site) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    rows.addAll(wrk(site));
    rows.addAll(hey(site));
    rows.add(
        Row.skipped(
            "siege",
            "requests-per-second",
            "1/s",
            "it takes a thread of the operating system for each of " + users + " users"));
    rows.add(Row.skipped("ab", "requests-per-second", "1/s", "it has no think time"));
    return rows;
  }

  /**
   * Exponential think by a Lua function; one thread, since one core is what it is compared with.
   */
  private List<Row> wrk(URI site) throws IOException, InterruptedException {
    Path script = directory.resolve("think.lua");
    Files.writeString(
        script,
        """
        function delay()
          return math.min(70000, math.floor(-7000 * math.log(1 - math.random())))
        end
        """);
    return run(
        "wrk",
        version("wrk"),
        List.of(
            "wrk",
            "--threads=1",
            "--connections=" + users,
            "--duration=" + seconds + "s",
            "--timeout=60s",
            "--script=" + script,
            site.toString()),
        "Requests/sec:\\s+([\\d.]+)");
  }

  /** A constant pace for each worker, the reciprocal of the think time. */
  private List<Row> hey(URI site) throws IOException, InterruptedException {
    return run(
        "hey",
        version("hey"),
        List.of(
            "hey",
            "-c",
            Integer.toString(users),
            "-q",
            Double.toString(1 / THINK_SECONDS),
            "-z",
            seconds + "s",
            site.toString()),
        "Requests/sec:\\s+([\\d.]+)");
  }

  private List<Row> run(String name, String version, List<String> command, String rate)
      throws IOException, InterruptedException {
    if (!installed(name)) {
      return List.of(Row.skipped(name, "requests-per-second", "1/s", "not installed"));
    }
    Path output = directory.resolve(name + ".txt");
    Process process =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile()));
    ProcessCost cost = new ProcessCost(process);
    cost.await();
    Matcher matcher =
        Pattern.compile(rate).matcher(Files.readString(output, StandardCharsets.UTF_8));
    if (process.exitValue() != 0 || !matcher.find()) {
      return List.of(
          Row.skipped(
              name,
              "requests-per-second",
              "1/s",
              "it failed with exit code " + process.exitValue()));
    }
    double perSecond = Double.parseDouble(matcher.group(1));
    return List.of(
        Row.measured(name, version, "requests-per-second", "1/s", perSecond),
        Row.measured(name, version, "rate-ratio", "", perSecond / (users / THINK_SECONDS)),
        Row.measured(name, version, "cores", "cores", cost.cpuSeconds() / seconds),
        Row.measured(name, version, "rss-mb", "MB", cost.peakMegabytes()));
  }

  private static boolean installed(String program) {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** The version of Debian's package, since not every program tells its own. */
  private static String version(String program) throws IOException {
    if (!installed(program) || !installed("dpkg-query")) {
      return "";
    }
    return ShortCommand.of("dpkg-query", "--show", "--showformat=${Version}", program)
        .withoutErrors()
        .run()
        .successfulOutput()
        .orElse("");
  }
}
