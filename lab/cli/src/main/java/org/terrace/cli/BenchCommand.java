package org.terrace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code terrace bench}: a head-to-head against peers, in a JVM of its own. */
@Command(
    name = "bench",
    description = "Measures a part of Terrace against its goals and its peers on this machine.",
    footer = {
      "",
      "Examples:",
      "  terrace bench wire          packets to requests, beside tshark",
      "  terrace bench load --quick  13,000 users, roughly, in about a minute",
      "  terrace bench collections   replicated maps, beside others: 20 minutes",
      "  terrace bench collections --only terrace-all,redis",
      "  terrace bench invocation    calls and fail-over, beside gRPC, CORBA and EJB",
      "  terrace bench database      one JDBC URL over several servers: 19 minutes, more with its peers",
      "  terrace bench stitch        parents of calls whose truth is known: 3 minutes",
      "  terrace bench causes        causes of stalls whose truth is known: 2 minutes",
      "  terrace bench analysis --json >analysis.json",
      "",
      "Ends with 0 if all goals were met, and with 1 if one was missed; those that --quick or --only",
      "leave out are not judged. Of stitch, causes, collections, invocation and database so far.",
      "",
      "Progress goes to standard error. Ctrl-C ends collections early: what was measured so far",
      "is reported, and nothing is left running."
    })
final class BenchCommand implements Callable<Integer> {
  /** The options of the command's own process: a benchmark measures what a user gets. */
  private static final List<String> OWN_OPTIONS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final int REPORT_SECONDS_MAX = 20;

  /** The benchmarks by the name a user gives. */
  enum Benchmark {
    /** Packets to requests. */
    WIRE("org.terrace.benchmarks.WireBench", false),
    /** Emulated users. */
    LOAD("org.terrace.benchmarks.LoadBench", false),
    /** Requests to findings. */
    ANALYSIS("org.terrace.benchmarks.AnalysisBench", false),
    /** Requests to transactions. */
    STITCH("org.terrace.benchmarks.stitch.StitchBench", false),
    /** Requests and events to causes. */
    CAUSES("org.terrace.benchmarks.causes.CausesBench", true),
    /** Live packet capture. */
    CAPTURE("org.terrace.benchmarks.CaptureBench", false),
    /** Replicated collections. */
    COLLECTIONS("org.terrace.benchmarks.collections.CollectionsBench", true),
    /** Replicated invocation. */
    INVOCATION("org.terrace.benchmarks.invocation.InvocationBench", true),
    /** The clustered database. */
    DATABASE("org.terrace.benchmarks.database.DatabaseBench", true);

    private final String mainClass;
    private final boolean subjects;

    Benchmark(String mainClass, boolean subjects) {
      this.mainClass = mainClass;
      this.subjects = subjects;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(paramLabel = "NAME", description = "one of: ${COMPLETION-CANDIDATES}")
  private Benchmark benchmark = Benchmark.WIRE;

  @Option(names = "--quick", description = "a rough answer in about a minute")
  private boolean quick;

  @Option(
      names = "--full",
      description = "collections only: longer loads, and networks cut in two for every peer")
  private boolean full;

  @Option(
      names = "--only",
      paramLabel = "SUBJECT",
      split = ",",
      description =
          "of causes, collections, invocation or database: only these, for example lock,disk")
  private List<String> only = List.of();

  @Option(names = "--json", description = "the figures as terrace-bench/1 on standard output")
  private boolean json;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!only.isEmpty() && !benchmark.subjects) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--only: benchmark '"
              + benchmark
              + "' has no subjects to pick; causes, collections, invocation and database have.");
    }
    if (full && (quick || benchmark != Benchmark.COLLECTIONS)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "--full is for collections alone, and not beside --quick.");
    }
    List<String> command = new ArrayList<>();
    command.addAll(Home.javaCommand("benchmarks", OWN_OPTIONS, benchmark.mainClass));
    if (quick) {
      command.add("--quick");
    }
    if (full) {
      command.add("--full");
    }
    if (json) {
      command.add("--json");
    }
    if (!only.isEmpty()) {
      command.add("--only=" + String.join(",", only));
    }
    return Subprogram.run(command, console.quiet(), REPORT_SECONDS_MAX);
  }
}
