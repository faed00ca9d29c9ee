package org.terrace.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.http.AnswerMemory;
import org.terrace.dashboard.http.PageHandler;
import org.terrace.dashboard.http.PageRequest;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.dashboard.pages.IndexPage;
import org.terrace.dashboard.pages.MessagePages;
import org.terrace.dashboard.pages.ResultPage;
import org.terrace.dashboard.pages.RunningPage;
import org.terrace.dashboard.results.Catalogue;
import org.terrace.dashboard.results.ResultFiles;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ResultSummary;
import org.terrace.dashboard.results.ResultSummary.Kind;
import org.terrace.dashboard.results.ResultSummary.State;
import org.terrace.dashboard.results.ServedDirectory;
import org.terrace.dashboard.results.StallCapture;
import org.terrace.experiment.Trial;
import org.terrace.experiment.progress.RunProgress;
import org.terrace.mesh.MeshFile;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.CapturePoint;
import org.terrace.report.FindingsFile;

/** The pages by their addresses. Thread-safe. */
final class DashboardPages implements PageHandler {
  /** The longest that a reader of the first page waits for results that are not read yet. */
  private static final Duration LIST_WITHIN = Duration.ofMillis(250);

  private static final List<String> OFFERED =
      List.of(FindingsFile.NAME, ResultFiles.SPECIFICATION, ResultFiles.REPORT);

  private final ServedDirectory served;
  private final AnswerMemory memory;
  private final TimeSource time;
  private final Catalogue catalogue;
  private final Reports reports;
  private final MeshPlans plans;
  private final Comparisons comparisons;
  private final LiveEvents events;

  DashboardPages(ServedDirectory served, AnswerMemory memory, TimeSource time) {
    this.served = served;
    this.memory = memory;
    this.time = time;
    catalogue = new Catalogue(served, time);
    reports = new Reports(memory);
    plans = new MeshPlans(memory, time);
    comparisons = new Comparisons(served, memory);
    events = new LiveEvents(memory, time);
  }

  /** Reads results so that the first page is quick, and the largest mesh's page too. */
  void readAhead(Duration within) {
    catalogue.list(within).results().stream()
        .filter(each -> each.kind() == Kind.MESH && each.state() != State.RUNNING)
        .limit(MeshPlans.MOST)
        .forEach(each -> plans.readAhead(each.place()));
  }

  @Override
  public PageResponse answer(PageRequest request) throws IOException {
    if (request.segments().isEmpty()) {
      return PageResponse.html(
          IndexPage.page(catalogue.list(LIST_WITHIN), search(request), served.rootPlace().name()));
    }
    List<String> rest = request.segments().subList(1, request.segments().size());
    return switch (request.segments().getFirst()) {
      case "rows" ->
          PageResponse.html(
              IndexPage.rows(catalogue.list(LIST_WITHIN), search(request)).toString());
      case "assets" -> Assets.answer(rest).orElseGet(this::nothing);
      case "compare" -> comparisons.answer(request, catalogue.list(LIST_WITHIN));
      case "result" -> at(rest).map(each -> result(each, request)).orElseGet(this::nothing);
      case "report" -> at(rest).flatMap(each -> reports.of(each.place())).orElseGet(this::nothing);
      case "plan" -> at(rest).map(each -> plans.fragment(each, request)).orElseGet(this::nothing);
      case "live" -> live(rest);
      case "packets" -> packets(rest, request);
      case "files" -> file(rest, request);
      default -> nothing();
    };
  }

  @Override
  public PageResponse error(int status, String message) {
    return PageResponse.html(status, MessagePages.error(status, message));
  }

  @Override
  public PageResponse signIn(int status, String message) {
    return PageResponse.html(status, MessagePages.signIn(message));
  }

  private PageResponse nothing() {
    return error(404, "It may have been removed, or renamed when its command ended.");
  }

  private static IndexPage.Search search(PageRequest request) {
    Optional<State> state =
        request
            .parameter("state")
            .flatMap(word ->
                List.of(State.RUNNING, State.COMPLETE, State.FAILED).stream()
                    .filter(each -> each.word().equals(word))
                    .findFirst());
    int first = 0;
    try {
      first = Integer.parseInt(request.parameter("first").orElse("0"));
    } catch (NumberFormatException e) {
      // The first rows are right for whatever is no number.
      assert e != null;
    }
    return new IndexPage.Search(request.parameter("q").orElse(""), state, Math.max(0, first));
  }

  /** The result that the segments lead to; that of the directory itself may run beside it. */
  private Optional<ResultSummary> at(List<String> segments) {
    Optional<ResultSummary> found = served.find(segments).flatMap(catalogue::at);
    return found.isEmpty() && segments.isEmpty()
        ? catalogue.runningBeside().flatMap(catalogue::at)
        : found;
  }

  private PageResponse result(ResultSummary summary, PageRequest request) {
    ResultPlace place = summary.place();
    Optional<RunProgress> progress = events.now(place);
    boolean running = summary.state() == State.RUNNING && progress.isPresent();
    boolean plan = request.parameter("view").equals(Optional.of("plan"));
    if (running && !plan) {
      return PageResponse.html(RunningPage.page(place, progress.get(), time.epochNanos()));
    }
    boolean hasTrials = ServedDirectory.file(place, MeshFile.NAME).isPresent();
    if (summary.kind() == Kind.MESH || (plan && hasTrials)) {
      return plans.page(summary, request);
    }
    Optional<Path> findings = ServedDirectory.file(place, FindingsFile.NAME);
    if (findings.isEmpty()) {
      return PageResponse.html(
          RunningPage.ended(place, summary.reason(), progress, time.epochNanos()));
    }
    List<String> captures = ResultFiles.captures(place);
    List<String> files =
        Stream.concat(
                OFFERED.stream().filter(name -> ServedDirectory.file(place, name).isPresent()),
                captures.stream())
            .toList();
    try (AnswerMemory.Held _ = memory.takeToRead(findings.get().toFile().length())) {
      return PageResponse.html(
          ResultPage.page(
              new ResultPage.Contents(
                  summary, FindingsFile.read(findings.get()), files, captures.size(), hasTrials)));
    }
  }

  private PageResponse live(List<String> segments) {
    return at(segments).map(each -> events.of(each.place())).orElseGet(this::nothing);
  }

  private PageResponse packets(List<String> segments, PageRequest request) throws IOException {
    Optional<ResultPlace> place = at(segments).map(ResultSummary::place);
    Optional<Path> findings = place.flatMap(each -> ServedDirectory.file(each, FindingsFile.NAME));
    if (findings.isEmpty()) {
      return nothing();
    }
    String name = request.parameter("server").orElse("");
    Optional<Findings.Stall> stall;
    List<CapturePoint> points;
    try (AnswerMemory.Held _ = memory.takeToRead(findings.get().toFile().length())) {
      Findings found = FindingsFile.read(findings.get());
      CaptureFigures captured = found.capture();
      points = captured == null ? List.of() : captured.points();
      stall =
          found.servers().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .flatMap(each -> stall(each, request.parameter("stall").orElse("")));
    }
    if (stall.isEmpty()) {
      return error(404, "There is no such stall.");
    }
    List<StallCapture> cuts;
    long described = place.get().directory().resolve(Trial.FILE).toFile().length();
    try (AnswerMemory.Held _ = memory.takeToRead(described)) {
      cuts =
          StallCapture.of(
              place.get(), name, stall.get().startNanos(), stall.get().endNanos(), points);
    }
    if (cuts.isEmpty()) {
      return error(404, "The packets are not in this directory.");
    }
    return StallCapture.ofMost(cuts)
        .map(each ->
            PageResponse.attachment(
                "application/octet-stream",
                "stall-" + name + "-" + request.parameter("stall").orElse("") + ".pcapng",
                PageResponse.UNKNOWN,
                (output, stopping) -> each.write(output)))
        .orElseGet(() ->
            error(
                404,
                "No capture in this directory saw a packet of "
                    + name
                    + " around this stall: none was made where it ran, or it is not here."));
  }

  private static Optional<Findings.Stall> stall(ServerFindings server, String number) {
    List<Findings.Stall> stalls = server.stalls();
    return number.matches("\\d{1,6}") && Integer.parseInt(number) < stalls.size()
        ? Optional.of(stalls.get(Integer.parseInt(number)))
        : Optional.empty();
  }

  private PageResponse file(List<String> segments, PageRequest request) throws IOException {
    String name = request.parameter("name").orElse("");
    String type = ResultFiles.typeOf(name);
    if (type == null) {
      return nothing();
    }
    Optional<ResultPlace> place = at(segments).map(ResultSummary::place);
    Optional<Path> file = place.flatMap(each -> ServedDirectory.file(each, name));
    if (file.isEmpty()) {
      return nothing();
    }
    List<String> words = new ArrayList<>(segments);
    words.add(name);
    long bytes = Files.size(file.get());
    return PageResponse.attachment(
        type,
        String.join("-", words),
        bytes,
        (output, stopping) -> {
          try (InputStream input = Files.newInputStream(file.get())) {
            byte[] all = new byte[1 << 16];
            long left = bytes;
            for (int read = 0; left > 0 && read >= 0; left -= Math.max(0, read)) {
              read = input.read(all, 0, (int) Math.min(all.length, left));
              output.write(all, 0, Math.max(0, read));
            }
          }
        });
  }
}
