package org.terrace.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.CaptureAnalysis;
import org.terrace.nodes.monitor.PauseLog;
import org.terrace.observation.Event;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.report.PendingResult;
import org.terrace.report.ResultDirectory;
import org.terrace.report.TrialFacts;
import org.terrace.wire.CaptureSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace analyze}: findings and report from captures or tables of requests. */
@Command(
    name = "analyze",
    description = {
      "Finds the servers, their load, stalls and causes in packets or in tables of requests.",
      "Reads captures (pcap, pcapng, plain or compressed) or tables (Parquet, CSV), infers the",
      "servers, and leaves findings.json and report.html in a directory."
    },
    footer = {
      "",
      "Examples:",
      "  terrace analyze capture.pcapng",
      "  terrace analyze monday-1.pcap.gz monday-2.pcap.gz --tiers tiers.yaml --out monday",
      "  tcpdump -i eth0 -w - port 8080 or port 5432 | terrace analyze - --json",
      "  terrace analyze requests.csv --fail-if 'users p99 > 200ms' --junit terrace.xml",
      "  terrace analyze slow.pcapng --tiers tiers.yaml --events app1=pauses.log --events deploys.csv",
      "",
      "A tiers file names servers by their addresses:",
      "  app1: {tier: app, addresses: ['10.0.0.5:8080']}",
      "",
      "Events are what may explain a stall: a table with the columns node, kind, start, end (CSV with",
      "dates such as 2026-11-22T10:15:00.250Z, or Parquet), or the log of a JVM started with",
      "  " + PauseLog.DATED_OPTION,
      "The clock of whoever wrote them must agree with the capture's."
    })
final class AnalyzeCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";
  private static final String DIRECTORY_SUFFIX = "-analysis";

  @Parameters(
      paramLabel = "INPUT",
      arity = "1..*",
      description = "captures in the order of time, or one table; - for standard input")
  private List<Path> inputs = List.of();

  @Option(names = "--tiers", paramLabel = "FILE", description = "names and tiers of servers, YAML")
  private @Nullable Path tiers;

  @Option(
      names = "--events",
      paramLabel = "[NODE=]FILE",
      description = "events that may explain stalls: a table, or a JVM's log of pauses; repeatable")
  private List<String> eventFiles = List.of();

  @Option(
      names = "--window",
      paramLabel = "MILLIS",
      description = "the window length of load and throughput; default: chosen from the data")
  private @Nullable Integer windowMillis;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ResultOptions results = new ResultOptions();

  @Mixin private Thresholds thresholds = new Thresholds();

  @Mixin private Outputs outputs = new Outputs();
  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    AnalysisOptions options = options();
    thresholds.read(List.of());
    List<Server> known = tiers == null ? List.of() : TiersFile.read(tiers);
    List<Event> events = EventInput.readAll(eventFiles.stream().map(EventInput::parse).toList());
    Path directory = results.directory(defaultDirectory());
    try (PendingResult pending = results.begin(directory, console)) {
      Path first = inputs.getFirst();
      boolean table = Files.isDirectory(first) || ObservationFiles.holdsTable(first);
      AnalysisResult result =
          table
              ? ofTable(first, events, options, pending.directory())
              : ofCaptures(known, events, options, pending.directory());
      pending.finish();
      outputs.tell(console, result, directory);
      int exitCode = outputs.finish(result.findings());
      return thresholds.judge(console, directory.toString(), result.findings(), exitCode);
    }
  }

  private AnalysisOptions options() {
    try {
      return windowMillis == null
          ? AnalysisOptions.defaults()
          : AnalysisOptions.defaults().withWindowMillis(windowMillis);
    } catch (IllegalArgumentException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, "--window: " + e.getMessage(), e);
    }
  }

  private AnalysisResult ofTable(
      Path input, List<Event> events, AnalysisOptions options, Path directory) {
    if (inputs.size() > 1) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "expected one table of requests, but " + inputs.size() + " were given");
    }
    console.progress("reading %s", inputs);
    Observation read = ObservationFiles.readAny(input);
    List<Event> all = new ArrayList<>(read.events());
    all.addAll(events);
    Observation observation =
        new Observation(read.servers(), read.requests(), read.samples(), all, read.connections());
    List<String> notes = EventInput.strangers(events, read.servers());
    return write(observation, null, notes, options, directory);
  }

  private AnalysisResult ofCaptures(
      List<Server> known, List<Event> events, AnalysisOptions options, Path directory) {
    List<CaptureSource> sources = inputs.stream().map(AnalyzeCommand::source).toList();
    console.progress("reading %s", inputs);
    CaptureAnalysis capture = CaptureAnalysis.of(sources, known);
    if (capture.requests().size() == 0) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          inputs
              + ": no requests were found in "
              + capture.wire().statistics().packets()
              + " packets. Expected TCP traffic of servers, such as HTTP, PostgreSQL or Redis. "
              + String.join(" ", capture.losses()));
    }
    List<Sample> samples = new ArrayList<>(capture.wire().samples());
    List<String> notes = new ArrayList<>(capture.losses());
    notes.addAll(EventInput.strangers(events, capture.wire().servers()));
    RequestTable requests = capture.requests();
    List<Event> all = new ArrayList<>(capture.wire().events());
    all.addAll(events);
    Observation observation =
        new Observation(capture.wire().servers(), requests, samples, all, capture.connections());
    return write(observation, capture.figures(), notes, options, directory);
  }

  private AnalysisResult write(
      Observation observation,
      Findings.@Nullable Capture figures,
      List<String> notes,
      AnalysisOptions options,
      Path directory) {
    String name = inputs.getFirst().toString();
    TrialFacts bare = TrialFacts.of(name, Invocation.of(spec), observation);
    TrialFacts facts =
        new TrialFacts(
            bare.title(),
            bare.command(),
            null,
            options.seed(),
            bare.machine(),
            List.of(new TrialFacts.Fact("terrace", Version.number())),
            notes,
            List.of(),
            List.of(),
            List.of());
    AnalysisResult analysed = Analysis.analyze(observation, options);
    Findings found =
        figures == null ? analysed.findings() : analysed.findings().withCapture(figures);
    AnalysisResult result =
        analysed.withFindings(found.withOutcome(notes, thresholds.judgements(found)));
    ResultDirectory.write(directory, observation, result, facts);
    notes.forEach(note -> console.message("  warning: %s", note));
    return result;
  }

  private static CaptureSource source(Path input) {
    if (!input.toString().equals(STANDARD_INPUT)) {
      return CaptureSource.file(input);
    }
    InterruptibleInput stream = new InterruptibleInput(new FileInputStream(FileDescriptor.in));
    Terrace.endInputOnInterrupt(stream::interrupt);
    return CaptureSource.stream("standard input", stream);
  }

  private Path defaultDirectory() {
    String name = inputs.getFirst().toString();
    return Path.of((name.equals(STANDARD_INPUT) ? "standard-input" : name) + DIRECTORY_SUFFIX);
  }
}
