package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.congestion.CongestionFit;
import org.terrace.analysis.congestion.PublishedCongestionPoint;
import org.terrace.analysis.congestion.WindowChoice;
import org.terrace.analysis.statistics.RadixSort;

/**
 * The analysis of one server up to the point where servers must be seen together: its cells, its
 * stalls, its work units, and its N* at every window length. The requests themselves are not kept.
 */
final class ServerAnalysis {
  final String server;
  final int requests;
  final List<DetectedStall> stalls;
  final List<CongestionFit> fits;

  private final Stretch stretch;
  private final Cells cells;
  private final Residences residences;
  private final boolean[] stalledCells;
  private final WorkUnits units;
  private final double[] robustUnits;
  private final double[] publishedUnits;
  private final double[] work;
  private final double[] publishedWork;
  private final List<String> classNames;

  private ServerAnalysis(
      ServerRequests rows,
      List<CallsOut> calls,
      Stretch stretch,
      RadixSort sort,
      AnalysisOptions options) {
    server = rows.server;
    requests = rows.size;
    classNames = rows.classNames;
    this.stretch = stretch;
    cells = Cells.of(rows, stretch);
    residences = Residences.of(rows, stretch, sort);
    StallDetector.Detection detection =
        ServerStalls.detect(rows, calls, cells, residences, stretch, sort);
    stalls = detection.stalls();
    units = detection.units();
    stalledCells = cells.overlapping(stalls);
    robustUnits = units.robust(residences);
    publishedUnits = units.published();
    work = work(rows, robustUnits);
    publishedWork = work(rows, publishedUnits);
    fits = fits(options);
  }

  /** Analyses the requests of one server, and the calls it makes of others. */
  static ServerAnalysis of(
      ServerRequests rows,
      List<CallsOut> calls,
      Stretch stretch,
      RadixSort sort,
      AnalysisOptions options) {
    return new ServerAnalysis(rows, calls, stretch, sort, options);
  }

  private double[] work(ServerRequests rows, double[] unitsOfClass) {
    if (units.knownClasses >= 2) {
      return cells.work(rows, unitsOfClass);
    }
    double[] counts = new double[cells.count];
    for (int cell = 0; cell < counts.length; cell++) {
      counts[cell] = cells.completions[cell];
    }
    return counts;
  }

  private boolean[] stalledWindows(int millis) {
    int perWindow = WindowLengths.cells(millis);
    boolean[] stalled = new boolean[cells.windows(millis)];
    for (int cell = 0; cell < stalled.length * perWindow; cell++) {
      stalled[cell / perWindow] |= stalledCells[cell];
    }
    return stalled;
  }

  private List<CongestionFit> fits(AnalysisOptions options) {
    List<CongestionFit> all = new ArrayList<>();
    for (int millis : WindowLengths.MILLIS) {
      all.add(
          CongestionFit.of(
              millis,
              cells.load(millis),
              cells.perSecond(work, millis),
              stalledWindows(millis),
              options.resamples(),
              options.seed() + millis));
    }
    return all;
  }

  WindowChoice.Candidate candidate() {
    return new WindowChoice.Candidate(
        fits,
        units.squaredVariation,
        cells.load(WindowLengths.STALL_MILLIS),
        WindowLengths.STALL_MILLIS);
  }

  ServerSeries series(int millis) {
    return new ServerSeries(
        server,
        cells.startNanos,
        millis * 1_000_000L,
        cells.load(millis),
        cells.throughput(millis),
        cells.perSecond(work, millis));
  }

  CongestionFit fit(int millis) {
    return fits.get(WindowLengths.MILLIS.indexOf(millis));
  }

  Findings.ServerFindings findings(
      String tier, int millis, AnalysisOptions options, List<Findings.Stall> explained) {
    double seconds = Math.max(stretch.seconds(), Double.MIN_NORMAL);
    return new Findings.ServerFindings(
        server,
        tier,
        requests,
        residences.count() / seconds,
        residences.distribution().summary(),
        congestionPoint(millis, options),
        explained);
  }

  private Findings.CongestionPoint congestionPoint(int millis, AnalysisOptions options) {
    CongestionFit fit = fit(millis);
    double[] load = cells.load(millis);
    double maximum = Arrays.stream(load).max().orElse(0);
    @Nullable Double asPublished =
        PublishedCongestionPoint.estimate(
            load, cells.perSecond(publishedWork, millis), options.correctedDeviation());
    List<Findings.Scale> scales = fits.stream().map(ServerAnalysis::scale).toList();
    if (!fit.identifiable()) {
      return new Findings.CongestionPoint(
          false, null, null, null, maximum, asPublished, scales, null, null, fit.reason());
    }
    long above = Arrays.stream(load).filter(value -> value > fit.knee()).count();
    double low = fit.low();
    double high = fit.high();
    List<CongestionFit> plateau = WindowChoice.plateau(fits);
    if (plateau.contains(fit)) {
      // The bootstrap cannot see the error of the model; neighbouring lengths show part of it.
      low = Math.min(low, plateau.stream().mapToDouble(CongestionFit::knee).min().orElse(low));
      high = Math.max(high, plateau.stream().mapToDouble(CongestionFit::knee).max().orElse(high));
    }
    return new Findings.CongestionPoint(
        true,
        fit.knee(),
        low,
        high,
        maximum,
        asPublished,
        scales,
        fit.capacity(),
        (double) above / load.length,
        null);
  }

  private static Findings.Scale scale(CongestionFit fit) {
    return fit.identifiable()
        ? new Findings.Scale(fit.millis(), fit.knee(), fit.low(), fit.high())
        : new Findings.Scale(fit.millis(), null, null, null);
  }

  ServerDetail detail(int millis) {
    CongestionFit fit = fit(millis);
    MainSequence sequence =
        new MainSequence(
            fit.binLoad(),
            fit.binThroughput(),
            fit.identifiable() ? fit.slope() : null,
            fit.identifiable() ? fit.capacity() : null);
    return new ServerDetail(
        server,
        residences.count(),
        residences.ended(ServerRequests.ERROR),
        residences.ended(ServerRequests.ABORTED),
        residences.ended(ServerRequests.UNFINISHED),
        residences.distribution(),
        ClassTable.of(
            classNames,
            residences,
            stretch.seconds(),
            units.serviceNanos,
            robustUnits,
            publishedUnits),
        sequence,
        scatter(millis));
  }

  private Scatter scatter(int millis) {
    double[] load = cells.load(millis);
    double[] throughput = cells.perSecond(work, millis);
    boolean[] stalled = stalledWindows(millis);
    int keepOneOf = Math.max(1, Math.ceilDiv(load.length, Scatter.LIMIT));
    int[] kept = new int[Math.min(load.length, Scatter.LIMIT)];
    int size = 0;
    for (int i = 0; i < load.length && size < kept.length; i += keepOneOf) {
      kept[size++] = i;
    }
    for (int i = 0; i < load.length && size < kept.length; i++) {
      if (stalled[i] && i % keepOneOf != 0) {
        kept[size++] = i;
      }
    }
    double[] keptLoad = new double[size];
    double[] keptThroughput = new double[size];
    boolean[] keptStalled = new boolean[size];
    for (int i = 0; i < size; i++) {
      keptLoad[i] = load[kept[i]];
      keptThroughput[i] = throughput[kept[i]];
      keptStalled[i] = stalled[kept[i]];
    }
    return new Scatter(load.length, keptLoad, keptThroughput, keptStalled);
  }
}
