package org.terrace.studies.transients;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.ServerSeries;
import org.terrace.analysis.Stretch;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.experiment.Load;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.ValidityCheck;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;

/** Takes from a trial and its analysis what the study's claims are about. Stateless. */
final class RunReader {
  private static final String UTILISATION = "cpu-utilisation";
  private static final double MILLION = 1e6;

  private RunReader() {}

  static TransientRun read(TransientSetting setting, Trial trial, TrialAnalysis analysis) {
    String name = setting.kind().server();
    Stretch stretch = analysis.result().stretch();
    ServerFindings server = findings(analysis.result().findings(), name);
    Windows windows = windows(analysis.result().fineSeries(), name);
    int count = windows.at(Windows.PAPER_MILLIS).count();
    Pages pages = pages(analysis.observation().requests(), stretch, count);
    List<Event> events = analysis.observation().events();
    List<Findings.Stall> stalls = server.stalls();
    return new TransientRun(
        setting,
        users(trial),
        stretch.seconds(),
        windows,
        server.congestionPoint().load(),
        server.congestionPoint().asPublished(),
        pages.nanos,
        pages.millis,
        shares(events, name, EventKinds.GC_PAUSE, stretch, count),
        clock(events, name, stretch, count),
        used(trial.samples(), trial.servers(), stretch),
        pages.failed,
        stalls.size(),
        (int) stalls.stream().filter(stall -> isOfCollector(stall, name)).count(),
        mostCongested(analysis.result().findings()),
        trial.experiment().cpuLimits().values().stream()
            .anyMatch(limit -> limit.governor().isPresent()),
        trial.validity().stream()
            .filter(check -> !check.passed())
            .map(RunReader::describe)
            .toList());
  }

  private static String describe(ValidityCheck check) {
    return check.check() + " (" + check.detail() + ")";
  }

  private static int users(Trial trial) {
    return switch (trial.experiment().load()) {
      case Load.Closed closed -> closed.users();
      case Load.Open _ -> 0;
    };
  }

  private static ServerFindings findings(Findings findings, String name) {
    return findings.servers().stream()
        .filter(server -> server.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Windows windows(List<ServerSeries> series, String name) {
    ServerSeries fine =
        series.stream().filter(each -> each.server().equals(name)).findFirst().orElseThrow();
    int millis = Math.toIntExact(Math.round(fine.windowNanos() / MILLION));
    double[] work = fine.workUnits().clone();
    for (int i = 0; i < work.length; i++) {
      work[i] *= millis / 1_000.0;
    }
    return new Windows(millis, fine.load(), work);
  }

  /** The users' pages of the analysed stretch. */
  private record Pages(long[] nanos, double[] millis, int failed) {}

  private static Pages pages(RequestTable requests, Stretch stretch, int windows) {
    record Page(long end, long nanos) {}

    List<Page> ended = new ArrayList<>();
    int failed = 0;
    int clients = requests.servers().indexOf(Server.CLIENTS);
    for (int row = 0; row < requests.size(); row++) {
      long end = requests.departureNanos(row);
      if (requests.server(row) == clients
          && end >= stretch.startNanos()
          && end < stretch.endNanos()) {
        if (requests.outcome(row) == Outcome.OK) {
          ended.add(new Page(end, end - requests.arrivalNanos(row)));
        } else {
          failed++;
        }
      }
    }
    ended.sort(Comparator.comparingLong(Page::end));
    double[] sum = new double[windows];
    int[] count = new int[windows];
    for (Page page : ended) {
      int window = window(page.end(), stretch);
      if (window < windows) {
        sum[window] += page.nanos() / MILLION;
        count[window]++;
      }
    }
    double[] mean = new double[windows];
    Arrays.setAll(mean, i -> count[i] == 0 ? Double.NaN : sum[i] / count[i]);
    return new Pages(ended.stream().mapToLong(Page::nanos).toArray(), mean, failed);
  }

  private static int window(long nanos, Stretch stretch) {
    return (int) ((nanos - stretch.startNanos()) / (Windows.PAPER_MILLIS * 1_000_000L));
  }

  /** The part of each window that events of a kind take. */
  private static double[] shares(
      List<Event> events, String server, String kind, Stretch stretch, int windows) {
    double[] shares = new double[windows];
    for (Event event : events) {
      if (event.node().equals(server) && event.kind().equals(kind)) {
        add(shares, event, stretch);
      }
    }
    Arrays.setAll(shares, i -> Math.min(1, shares[i]));
    return shares;
  }

  private static void add(double[] shares, Event event, Stretch stretch) {
    long length = Windows.PAPER_MILLIS * 1_000_000L;
    long from = Math.max(event.startNanos(), stretch.startNanos());
    for (int i = window(from, stretch); i >= 0 && i < shares.length; i++) {
      long start = stretch.startNanos() + i * length;
      long end = start + length;
      if (start >= event.endNanos()) {
        return;
      }
      long inside = Math.min(end, event.endNanos()) - Math.max(start, event.startNanos());
      shares[i] += (double) inside / length;
    }
  }

  /** The clock of each window: that of the event that covers it whole. */
  private static double[] clock(List<Event> events, String server, Stretch stretch, int windows) {
    double[] clock = new double[windows];
    Arrays.fill(clock, 1);
    for (Event event : events) {
      if (event.node().equals(server) && event.kind().equals(EventKinds.FREQUENCY_LOW)) {
        double[] covered = new double[windows];
        add(covered, event, stretch);
        double share = Double.parseDouble(event.attributes().getOrDefault("ofFastest", "NaN"));
        for (int i = 0; i < windows; i++) {
          clock[i] = covered[i] == 0 ? clock[i] : covered[i] > 0.999 ? share : Double.NaN;
        }
      }
    }
    return clock;
  }

  private static List<TransientRun.Used> used(
      List<Sample> samples, List<Server> servers, Stretch stretch) {
    return servers.stream()
        .map(server ->
            new TransientRun.Used(
                server.name(),
                samples.stream()
                    .filter(sample -> sample.node().equals(server.name()))
                    .filter(sample -> sample.resource().equals(UTILISATION))
                    .filter(sample ->
                        sample.timeNanos() > stretch.startNanos()
                            && sample.timeNanos() <= stretch.endNanos())
                    .mapToDouble(Sample::value)
                    .toArray()))
        .toList();
  }

  private static boolean isOfCollector(Findings.Stall stall, String server) {
    return stall.causes().stream()
        .filter(RunReader::isSignificant)
        .anyMatch(cause -> cause.kind().equals(EventKinds.GC_PAUSE) && cause.node().equals(server));
  }

  private static boolean isSignificant(Findings.Cause cause) {
    Double p = cause.adjustedP();
    return p != null && p <= Findings.Cause.SIGNIFICANT;
  }

  private static @Nullable String mostCongested(Findings findings) {
    Optional<ServerFindings> most =
        findings.servers().stream()
            .filter(server -> congestedMillis(server) > 0)
            .max(Comparator.comparingDouble(RunReader::congestedMillis));
    return most.map(ServerFindings::name).orElse(null);
  }

  private static double congestedMillis(ServerFindings server) {
    return server.episodes().stream().mapToDouble(CongestionEpisode::lengthMillis).sum();
  }
}
