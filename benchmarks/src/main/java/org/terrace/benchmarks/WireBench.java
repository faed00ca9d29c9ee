package org.terrace.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.Percentiles;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;
import org.terrace.core.process.ShortCommand;
import org.terrace.testing.SyntheticBoard;

/**
 * The benchmark of decoding: how many packets of a capture become requests, per second of processor
 * time, and in how much heap; and how fast tshark extracts the fields of the same exchanges from
 * the same file. Every run is a process of its own, whose start and compilation count.
 */
public final class WireBench {
  private static final long SEED = 2026;
  private static final long MEGABYTE = 1_000_000;
  private static final long CAPTURE_BYTES = 480 * MEGABYTE;
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 3;
  private static final int QUICK_PEER_RUNS = 1;
  private static final double SPEED_GOAL = 300;
  private static final double HEAP_GOAL = 200;
  private static final String HEAP_LIMIT = "-Xmx200m";

  /** As ./terrace runs: a second compiler would cost more than it saves on one reading. */
  private static final String ONE_COMPILER_TIER = "-XX:TieredStopAtLevel=1";

  private static final String SPEED = "mb-per-cpu-second";
  private static final String EXCHANGES = "exchanges";
  private static final Pattern TIMES = Pattern.compile("(\\d+)m([0-9.]+)s (\\d+)m([0-9.]+)s");

  private final List<BenchReport.Row> rows = new ArrayList<>();
  private final List<BenchReport.Goal> goals = new ArrayList<>();

  private WireBench() {}

  /** The figures that one run reached. */
  private record Run(double megabytesPerCpuSecond, double peakHeapMegabytes, double exchanges) {}

  /** Runs the benchmark; {@code --json} for JSON, {@code --quick} for a rough answer. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> flags = List.of(arguments);
    boolean quick = flags.contains("--quick");
    Path capture = Files.createTempFile("terrace-wire-bench", ".pcap");
    try {
      System.err.println("Writing a synthetic capture of a bulletin board");
      long exchanges = SyntheticBoard.write(capture, CAPTURE_BYTES, SEED);
      WireBench bench = new WireBench();
      bench.rows.add(BenchReport.Row.measured("capture", "", EXCHANGES, "", (double) exchanges));
      bench.measureTerrace(capture, quick ? QUICK_RUNS : RUNS);
      bench.measureTshark(capture, quick ? QUICK_PEER_RUNS : RUNS);
      BenchReport.of("wire", bench.rows, bench.goals).print(System.out, flags.contains("--json"));
    } finally {
      Files.deleteIfExists(capture);
    }
  }

  private void measureTerrace(Path capture, int count) throws IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      System.err.println("terrace, run " + (i + 1) + " of " + count);
      runs.add(terrace(capture));
    }
    double[] speed = runs.stream().mapToDouble(Run::megabytesPerCpuSecond).toArray();
    double[] heap = runs.stream().mapToDouble(Run::peakHeapMegabytes).toArray();
    double[] exchanges = runs.stream().mapToDouble(Run::exchanges).toArray();
    rows.add(BenchReport.Row.measured("terrace", "", SPEED, "MB/s", speed));
    rows.add(BenchReport.Row.measured("terrace", "", "peak-heap-mb", "MB", heap));
    rows.add(BenchReport.Row.measured("terrace", "", EXCHANGES, "", exchanges));
    goals.add(BenchReport.Goal.atLeast(SPEED, Percentiles.median(speed), SPEED_GOAL));
    goals.add(BenchReport.Goal.atMost("peak-heap-mb", max(heap), HEAP_GOAL));
  }

  private static Run terrace(Path capture) throws IOException, InterruptedException {
    Process process =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(
                        JavaCommand.of(
                            List.of(HEAP_LIMIT, "-XX:+UseSerialGC", ONE_COMPILER_TIER),
                            WireParse.class,
                            capture.toString()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT));
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("the reading process ended with exit code " + process.exitValue());
    }
    List<String> figures = List.of(output.split(" ", -1));
    double cpuSeconds = Long.parseLong(figures.get(1)) / 1e9;
    return new Run(
        megabytes(capture) / cpuSeconds,
        Long.parseLong(figures.get(2)) / (double) MEGABYTE,
        Long.parseLong(figures.get(0)));
  }

  /** The first line of its version; empty where it is not installed. */
  private static String tsharkVersion() throws IOException {
    return ShortCommand.of("tshark", "--version")
        .withoutErrors()
        .run()
        .successfulOutput()
        .flatMap(output -> output.lines().findFirst())
        .orElse("");
  }

  private void measureTshark(Path capture, int count) throws IOException, InterruptedException {
    String version = tsharkVersion();
    if (version.isEmpty()) {
      rows.add(BenchReport.Row.skipped("tshark", SPEED, "MB/s", "tshark is not installed"));
      return;
    }
    Matcher number = Pattern.compile("\\d+(\\.\\d+)+").matcher(version);
    String name = number.find() ? number.group() : version;
    double[] speed = new double[count];
    double[] exchanges = new double[count];
    for (int i = 0; i < count; i++) {
      System.err.println("tshark, run " + (i + 1) + " of " + count);
      Run run = tshark(capture);
      speed[i] = run.megabytesPerCpuSecond;
      exchanges[i] = run.exchanges;
    }
    rows.add(BenchReport.Row.measured("tshark", name, SPEED, "MB/s", speed));
    rows.add(BenchReport.Row.measured("tshark", name, EXCHANGES, "", exchanges));
  }

  /** Extracts the fields from which exchanges could be put together, and counts their ends. */
  private static Run tshark(Path capture) throws IOException, InterruptedException {
    String command =
        "tshark -n -r \"$1\" -T fields -e frame.time_epoch -e tcp.stream -e http.request.method"
            + " -e http.request.uri -e http.response.code -e pgsql.type -e pgsql.query"
            + " -e pgsql.statement 2>/dev/null; times >&2";
    Process process =
        Keeper.ofThisProcess()
            .start(new ProcessBuilder("bash", "-c", command, "tshark", capture.toString()));
    process.getOutputStream().close();
    long exchanges = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        exchanges += endsIn(line);
      }
    }
    String times = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("tshark ended with exit code " + process.exitValue());
    }
    String children = times.lines().skip(1).findFirst().orElse("");
    Matcher parts = TIMES.matcher(children);
    if (!parts.find()) {
      throw new IOException("no processor time in: " + times);
    }
    double cpuSeconds =
        60 * (Integer.parseInt(parts.group(1)) + Integer.parseInt(parts.group(3)))
            + Double.parseDouble(parts.group(2))
            + Double.parseDouble(parts.group(4));
    return new Run(megabytes(capture) / cpuSeconds, 0, exchanges);
  }

  private static int endsIn(String line) {
    String[] fields = line.split("\t", -1);
    int ends = fields.length > 4 && !fields[4].isEmpty() ? fields[4].split(",", -1).length : 0;
    if (fields.length > 5) {
      for (String type : fields[5].split(",", -1)) {
        ends += type.equals("Ready for query") ? 1 : 0;
      }
    }
    return ends;
  }

  private static double megabytes(Path file) throws IOException {
    return Files.size(file) / (double) MEGABYTE;
  }

  private static double max(double[] values) {
    return Arrays.stream(values).max().orElseThrow();
  }
}
