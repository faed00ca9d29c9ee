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
import org.terrace.cli.input.EventOptions;
import org.terrace.cli.input.HeldEvidence;
import org.terrace.cli.input.InterruptibleInput;
import org.terrace.cli.input.PointInput;
import org.terrace.cli.input.TiersFile;
import org.terrace.cli.output.MemoryShortage;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.details.FindingDetails;
import org.terrace.details.StitchedObservation;
import org.terrace.evidence.Evidence;
import org.terrace.evidence.PauseLog;
import org.terrace.experiment.CaptureAnalysis;
import org.terrace.experiment.PointFigures;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.CapturePoint;
import org.terrace.observation.Event;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.report.PendingResult;
import org.terrace.report.ResultDirectory;
import org.terrace.report.TrialFacts;
import org.terrace.tracing.span.TraceFiles;
import org.terrace.tracing.span.TraceReadResult;
import org.terrace.wire.CaptureParts;
import org.terrace.wire.CapturePoints;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.ReadProgress;
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
      "Finds the servers, their load, stalls and causes in packets, traces or tables of requests.",
      "Reads captures (pcap, pcapng, plain or compressed), traces (OpenTelemetry's OTLP as JSON or",
      "protobuf, Jaeger's and Zipkin's JSON) or a table (Parquet, CSV), infers the servers, and",
      "leaves findings.json and report.html in a directory."
    },
    footer = {
      "",
      "Examples:",
      "  terrace analyze capture.pcapng",
      "  terrace analyze monday-1.pcap.gz monday-2.pcap.gz --tiers tiers.yaml",
      "  terrace analyze web.pcapng app.pcapng db.pcapng",
      "  terrace analyze --point web=w1.pcap --point web=w2.pcap --point db=db.pcap",
      "  tcpdump -i eth0 -w - port 8080 or port 5432 | terrace analyze - --json",
      "  terrace analyze requests.csv --fail-if 'users p99 > 200ms' --junit terrace.xml",
      "  terrace analyze slow.pcapng --csv --out slow",
      "  terrace analyze traces.json --traces-out traces.perfetto.json",
      "  terrace analyze slow.pcapng --tls-keys keys.log",
      "  terrace analyze slow.pcapng --events app1=pauses.log --events deploys.csv",
      "",
      "A tiers file names servers by their addresses:",
      "  app1: {tier: app, addresses: ['10.0.0.5:8080']}",
      "",
      "Events are what may explain a stall, each file recognised by what it holds:",
      "  a table with the columns node, kind, start and end, Parquet or CSV, with",
      "  dates such as 2026-11-22T10:15:00.250Z; what terrace watch left;",
      "  a recording of JFR; the log of a JVM started with",
      "  " + PauseLog.DATED_OPTION + ";",
      "  a log of PostgreSQL; an error or slow query log of MariaDB or MySQL;",
      "  readings as Prometheus answers /api/v1/query_range.",
      "The clock of whoever wrote them must agree with the capture's."
    })
final class AnalyzeCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";
  private static final String DIRECTORY_SUFFIX = "-analysis";

  @Parameters(
      paramLabel = "INPUT",
      arity = "0..*",
      description =
          "captures of one host in the order of time or of several hosts, traces, or one table;"
              + " - for standard input")
  private List<Path> inputs = List.of();

  @Option(
      names = "--point",
      paramLabel = "NAME=FILE",
      description =
          "a capture of the host NAME, whose clock may differ; repeatable, the host whose clock is"
              + " kept first; files of one name are in the order of time")
  private List<String> pointFiles = List.of();

  @Option(names = "--tiers", paramLabel = "FILE", description = "names and tiers of servers, YAML")
  private @Nullable Path tiers;

  @Option(
      names = "--tls-keys",
      paramLabel = "FILE",
      description =
          "key log with which TLS is decrypted, as SSLKEYLOGFILE makes programs write it;"
              + " repeatable")
  private List<Path> tlsKeys = List.of();

  @Option(
      names = "--traces-out",
      paramLabel = "FILE",
      description =
          "writes the requests as traces too, in the format of the name's end: .otlp.json,"
              + " .otlp.pb, .jaeger.json, .zipkin.json or .perfetto.json; repeatable")
  private List<Path> tracesOut = List.of();

  @Option(
      names = "--window",
      paramLabel = "MILLIS",
      description = "the window length of load and throughput; default: chosen from the data")
  private @Nullable Integer windowMillis;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private EventOptions eventFiles = new EventOptions();

  @Mixin private ResultOptions results = new ResultOptions();

  @Mixin private CsvOption csv = new CsvOption();

  @Mixin private Thresholds thresholds = new Thresholds();

  @Mixin private Outputs outputs = new Outputs();
  @Mixin private Console console = new Console();

  /** Standard input, where captures come from it. */
  private @Nullable InterruptibleInput standardInput;

  @Override
  public Integer call() {
    inputs = PointInput.files(inputs, pointFiles);
    AnalysisOptions options = options();
    thresholds.read(List.of());
    tracesOut.forEach(TraceFiles::formatOf);
    List<Server> known = tiers == null ? List.of() : TiersFile.read(tiers);
    Evidence events = eventFiles.read();
    events.summary().lines().forEach(line -> console.message("  events: %s", line));
    Path directory = results.directory(defaultDirectory());
    try (PendingResult pending = results.begin(directory, console)) {
      AnalysisResult result = analysed(known, events, options, pending.directory());
      pending.finish();
      outputs.tell(console, result, directory);
      int exitCode = outputs.finish(console, result.findings());
      return thresholds.judge(console, directory.toString(), result.findings(), exitCode);
    }
  }

  private AnalysisResult analysed(
      List<Server> known, Evidence events, AnalysisOptions options, Path directory) {
    Path first = inputs.getFirst();
    try {
      if (!pointFiles.isEmpty()) {
        return ofCaptures(known, events, options, directory);
      } else if (Files.isDirectory(first) || ObservationFiles.holdsTable(first)) {
        return ofTable(first, events, options, directory);
      } else if (TraceFiles.holdsTraces(first)) {
        return ofTraces(events, options, directory);
      }
      return ofCaptures(known, events, options, directory);
    } catch (OutOfMemoryError e) {
      throw MemoryShortage.of(inputs, "reading or analysing their rows", "fewer rows", e);
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

  /** Keys open packets alone, and whoever gives them expects something of them. */
  private void checkNoKeys(String what) {
    if (!tlsKeys.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--tls-keys: "
              + inputs.getFirst()
              + " holds "
              + what
              + ", which needs no keys; give them with the capture");
    }
  }

  private AnalysisResult ofTable(
      Path input, Evidence events, AnalysisOptions options, Path directory) {
    checkNoKeys("a table");
    if (inputs.size() > 1) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "expected one table of requests, but " + inputs.size() + " were given");
    }
    console.progress("reading %s", inputs);
    return write(ObservationFiles.readAny(input), List.of(), events, options, directory);
  }

  private AnalysisResult ofTraces(Evidence events, AnalysisOptions options, Path directory) {
    checkNoKeys("traces");
    console.progress("reading %s", inputs);
    TraceReadResult read = TraceFiles.read(inputs);
    Observation observation = ObservationFiles.of(read.requests());
    return write(observation, read.notes(), events, options, directory);
  }

  private AnalysisResult write(
      Observation read,
      List<String> losses,
      Evidence found,
      AnalysisOptions options,
      Path directory) {
    Evidence events = HeldEvidence.of(found, read.servers(), read.requests());
    List<Event> all = new ArrayList<>(read.events());
    all.addAll(events.events());
    List<Sample> samples = new ArrayList<>(read.samples());
    samples.addAll(events.samples());
    Observation observation =
        new Observation(read.servers(), read.requests(), samples, all, read.connections());
    List<String> notes = new ArrayList<>(losses);
    notes.addAll(events.notes());
    return write(observation, null, notes, options, directory);
  }

  private AnalysisResult ofCaptures(
      List<Server> known, Evidence events, AnalysisOptions options, Path directory) {
    if (inputs.contains(Path.of(STANDARD_INPUT))) {
      // Whoever is told that it is read may interrupt it.
      standardInput = new InterruptibleInput(new FileInputStream(FileDescriptor.in));
      Terrace.endInputOnInterrupt(standardInput::interrupt);
    }
    console.progress("reading %s", inputs);
    long everyMillis =
        console.replacesProgress() ? CaptureProgress.TERMINAL_MILLIS : CaptureProgress.LINE_MILLIS;
    try (CaptureProgress progress =
        new CaptureProgress(
            inputs, TimeSource.system(), everyMillis, line -> console.progress("%s", line))) {
      try {
        return ofCaptures(known, events, options, directory, progress);
      } catch (OutOfMemoryError e) {
        throw progress.shortOfMemory(e);
      }
    }
  }

  private AnalysisResult ofCaptures(
      List<Server> known,
      Evidence found,
      AnalysisOptions options,
      Path directory,
      CaptureProgress progress) {
    CaptureParts parts = PointInput.parts(inputs, pointFiles, progress.reading());
    progress.begin("reading");
    CaptureAnalysis read =
        parts == null
            ? null
            : CaptureAnalysis.of(List.of(parts), known, tlsKeys, progress.reading());
    boolean areParts = parts != null && parts.areParts();
    if (parts != null && areParts && !PointInput.isInOrder(parts, inputs)) {
      console.message("  read in the order of their times: %s", parts.name());
    }
    CapturePoints joined = areParts ? null : joined(progress);
    List<CaptureSource> sources =
        joined == null
            ? inputs.stream().map(input -> source(input, progress.reading())).toList()
            : List.of(joined);
    List<CapturePoint> points = joined == null ? List.of() : PointFigures.of(joined);
    points.forEach(point -> console.message("  %s", PointInput.sentence(point)));
    CaptureAnalysis capture = read;
    if (capture == null || !areParts) {
      progress.begin("reading");
      capture = CaptureAnalysis.of(sources, known, tlsKeys, progress.reading());
    }
    progress.goesOn("analysing");
    checkRequests(capture);
    RequestTable requests = capture.requests();
    Evidence events = HeldEvidence.of(found, capture.wire().servers(), requests);
    List<Sample> samples = new ArrayList<>(capture.wire().samples());
    samples.addAll(events.samples());
    List<String> notes = new ArrayList<>(PointFigures.warnings(points));
    if (joined != null && joined.hasGuessed()) {
      notes.add(PointInput.GUESSED);
    }
    notes.addAll(capture.losses());
    notes.addAll(events.notes());
    List<Event> all = new ArrayList<>(capture.wire().events());
    all.addAll(events.events());
    Observation observation =
        new Observation(capture.wire().servers(), requests, samples, all, capture.connections());
    return write(observation, capture.figures().withPoints(points), notes, options, directory);
  }

  private @Nullable CapturePoints joined(CaptureProgress progress) {
    progress.begin("comparing the clocks");
    return PointInput.of(inputs, pointFiles, progress.reading());
  }

  private void checkRequests(CaptureAnalysis capture) {
    if (capture.requests().size() == 0) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          inputs
              + ": no requests were found in "
              + capture.wire().statistics().packets()
              + " packets. Expected TCP traffic of servers, such as HTTP, PostgreSQL or Redis. "
              + String.join(" ", capture.losses()));
    }
  }

  private AnalysisResult write(
      Observation read,
      @Nullable CaptureFigures figures,
      List<String> notes,
      AnalysisOptions options,
      Path directory) {
    StitchedObservation transactions = StitchedObservation.ofAnalysis(read, notes);
    Observation observation = transactions.observation();
    AnalysisResult analysed = Analysis.analyze(observation, options);
    if (figures != null) {
      notes.addAll(PointInput.limits(figures.points(), analysed.findings()));
    }
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
    Findings found =
        FindingDetails.added(
            analysed.findings().withInput(figures, transactions.findings()),
            observation,
            analysed.stretch().startNanos(),
            analysed.stretch().endNanos());
    AnalysisResult result =
        analysed.withFindings(found.withOutcome(notes, thresholds.judgements(found)));
    ResultDirectory.write(directory, observation, result, facts);
    csv.write(directory, observation);
    tracesOut.forEach(file -> TraceFiles.write(file, observation.requests()));
    notes.forEach(note -> console.message("  warning: %s", note));
    return result;
  }

  private CaptureSource source(Path input, ReadProgress progress) {
    return standardInput != null && input.toString().equals(STANDARD_INPUT)
        ? CaptureSource.stream("standard input", standardInput, progress)
        : CaptureSource.file(input, progress);
  }

  private Path defaultDirectory() {
    String name = inputs.getFirst().toString();
    return Path.of((name.equals(STANDARD_INPUT) ? "standard-input" : name) + DIRECTORY_SUFFIX);
  }
}
