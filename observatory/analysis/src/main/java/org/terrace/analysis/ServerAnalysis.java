package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.congestion.CapacityChange;
import org.terrace.analysis.congestion.CongestionFit;
import org.terrace.analysis.congestion.Drains;
import org.terrace.analysis.congestion.Episode;
import org.terrace.analysis.congestion.LoadWindows;
import org.terrace.analysis.congestion.PublishedCongestionPoint;
import org.terrace.analysis.congestion.WindowChoice;
import org.terrace.analysis.evidence.PacketEvidence;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.PooledEvents;
import org.terrace.analysis.statistics.RadixSort;
import org.terrace.analysis.statistics.Strata;
import org.terrace.observation.Event;

/**
 * The analysis of one server up to the point where servers must be seen together: its cells, its
 * stalls, its work units, and its N* at every window length. The requests themselves are not kept.
 */
final class ServerAnalysis implements AnalyzedServer {
  /** The part of the pace at low load below which requests mostly wait. */
  private static final double MOSTLY_QUEUES = 0.5;

  private static final long STRATUM_NANOS = 1_000_000_000L;

  /** Fewer seconds of one demand leave events too little room to move. */
  private static final int FEWEST_SECONDS = 10;

  private static final int MOST_STRATA = 4;

  final List<DetectedStall> stalls;
  private final List<List<String>> held;

  private final String server;
  private final int requests;
  private final long shortestStallNanos;
  private final List<PooledEvents> pooled;
  private final List<CongestionFit> fits;
  private final Stretch stretch;
  private final int quotaMillis;
  private final AnalysisOptions options;
  private final Cells cells;
  private final Residences residences;
  private final boolean[] stalledCells;

  /** The cells that tell nothing of the usual. */
  private final boolean[] excludedCells;

  private final WorkUnits units;
  private final double[] robustUnits;
  private final double[] publishedUnits;
  private final double[] work;
  private final double[] publishedWork;
  private final @Nullable Drains drains;
  private final List<String> classNames;

  private ServerAnalysis(
      ServerRequests rows,
      List<CallsOut> calls,
      List<Event> events,
      Stretch stretch,
      RadixSort sort,
      AnalysisOptions options) {
    this.options = options;
    server = rows.server;
    quotaMillis = EventGroup.quotaMillis(server, events, stretch);
    PacketEvidence evidence =
        PacketEvidence.of(server, events, stretch.startNanos(), stretch.endNanos());
    requests = rows.size;
    classNames = rows.classNames;
    this.stretch = stretch;
    cells = Cells.of(rows, stretch, evidence.lost());
    residences = Residences.of(rows, stretch, sort);
    StallDetector.Detection detection =
        ServerStalls.detect(rows, calls, cells, residences, stretch, sort);
    stalls = detection.stalls().stream().map(stall -> ofHost(stall, evidence)).toList();
    held = ServerStalls.mayBeHeldBy(stalls, calls);
    shortestStallNanos = detection.shortestNanos();
    long[] messages = messages(rows, calls, stretch, sort);
    pooled = ShortStalls.of(server, messages, shortestStallNanos, events, stretch, cells.lost);
    units = detection.units();
    stalledCells = cells.overlapping(stalls);
    // What a quota withholds is part of what the server can do, and so are the stalls it makes.
    excludedCells = quotaMillis > 0 ? cells.lostCells() : stalledCells;
    robustUnits = units.robust(residences);
    publishedUnits = units.published();
    work = work(rows, robustUnits);
    publishedWork = work(rows, publishedUnits);
    fits = fits();
    drains =
        quotaMillis > 0
            ? null
            : Drains.of(
                windows(WindowLengths.STALL_MILLIS),
                units.averageNanos(residences) / 1e9,
                options.resamples(),
                options.seed());
  }

  /**
   * Analyses the requests of one server, and the calls it makes of others.
   *
   * @param events the events of the whole observation
   */
  static ServerAnalysis of(
      ServerRequests rows,
      List<CallsOut> calls,
      List<Event> events,
      Stretch stretch,
      RadixSort sort,
      AnalysisOptions options) {
    return new ServerAnalysis(rows, calls, events, stretch, sort, options);
  }

  /** A standstill is the host's where that did not even acknowledge. */
  private static DetectedStall ofHost(DetectedStall stall, PacketEvidence evidence) {
    boolean stood = stall.behaviour() == Findings.Behaviour.STOOD_STILL;
    return stood && evidence.hostSilent(stall.startNanos(), stall.endNanos())
        ? stall.ofHost()
        : stall;
  }

  /** The times at which it answered or called, ascending. */
  private static long[] messages(
      ServerRequests rows, List<CallsOut> calls, Stretch stretch, RadixSort sort) {
    int most = rows.size + calls.stream().mapToInt(each -> each.sent.length).sum();
    long[] times = new long[most];
    int size = 0;
    for (int row = 0; row < rows.size; row++) {
      if (ServerRequests.isCompletion(rows.outcome[row])) {
        times[size++] = rows.departure[row];
      }
    }
    for (CallsOut each : calls) {
      System.arraycopy(each.sent, 0, times, size, each.sent.length);
      size += each.sent.length;
    }
    long[] within = new long[size];
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (times[i] >= stretch.startNanos() && times[i] < stretch.endNanos()) {
        within[kept++] = times[i];
      }
    }
    sort.sort(within, 0, kept);
    return Arrays.copyOf(within, kept);
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

  private LoadWindows windows(int millis) {
    return new LoadWindows(
        millis,
        cells.load(millis),
        cells.perSecond(work, millis),
        cells.arriving(millis),
        cells.anyInWindow(excludedCells, millis));
  }

  private List<CongestionFit> fits() {
    List<CongestionFit> all = new ArrayList<>();
    for (int millis : WindowLengths.MILLIS) {
      long seed = options.seed() + millis;
      all.add(CongestionFit.of(windows(millis), quotaMillis, options.resamples(), seed));
    }
    return all;
  }

  @Override
  public List<DetectedStall> stalls() {
    return stalls;
  }

  @Override
  public List<List<String>> held() {
    return held;
  }

  @Override
  public Strata demand() {
    long nanos = stretch.endNanos() - stretch.startNanos();
    int seconds = (int) Math.max(1, nanos / STRATUM_NANOS);
    double[] came = new double[seconds];
    for (int cell = 0; cell < cells.count; cell++) {
      came[(int) ((long) cell * seconds / cells.count)] += cells.arrivals[cell];
    }
    int strata = Math.clamp(seconds / FEWEST_SECONDS, 1, MOST_STRATA);
    return Strata.byLevel(stretch.startNanos(), Math.max(1, nanos / seconds), came, strata);
  }

  @Override
  public WindowChoice.Vote vote() {
    return WindowChoice.vote(
        new WindowChoice.Candidate(
            fits,
            units.squaredVariation,
            cells.load(WindowLengths.STALL_MILLIS),
            WindowLengths.STALL_MILLIS));
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

  /**
   * The fit at a window length; for a server with a quota that this length cannot tell, the first
   * that can, or whose reason is not the length.
   */
  private CongestionFit fit(int millis) {
    CongestionFit fit = fits.get(WindowLengths.MILLIS.indexOf(millis));
    if (quotaMillis == 0 || fit.identifiable()) {
      return fit;
    }
    return fits.stream()
        .filter(CongestionFit::identifiable)
        .findFirst()
        .orElseGet(() ->
            fits.stream().filter(each -> each.millis() % quotaMillis == 0).findFirst().orElse(fit));
  }

  @Override
  public List<Congestion> congestions(int millis) {
    CongestionFit fit = fit(millis);
    long window = fit.millis() * 1_000_000L;
    return episodes(fit, congestionPoint(millis)).stream()
        .map(each ->
            new Congestion(
                cells.startNanos + each.firstWindow() * window,
                cells.startNanos + each.endWindow() * window,
                each.beyond(),
                each.peakLoad(),
                each.ofUsual()))
        .toList();
  }

  private List<Episode> episodes(CongestionFit fit, CongestionPoint point) {
    // A lost window ends an episode.
    LoadWindows windows =
        windows(fit.millis()).idleIn(cells.anyInWindow(cells.lostCells(), fit.millis()));
    Double knee = point.load();
    Double high = point.high();
    Double capacity = point.capacityPerSecond();
    if (knee != null && high != null && capacity != null) {
      return Episode.find(windows, capacity / knee, knee, high);
    }
    // A server that usually takes far longer than at low load has no usual pace but its queue's.
    double pace = fit.proportion() * units.averageNanos(residences) / 1e9;
    double slope = pace > MOSTLY_QUEUES ? fit.proportion() : Double.NaN;
    return Episode.find(windows, slope, Double.NaN, Double.NaN);
  }

  @Override
  public Figures figures() {
    double seconds = Math.max(stretch.seconds(), Double.MIN_NORMAL);
    return new Figures(
        server,
        requests,
        residences.count() / seconds,
        residences.distribution().summary(),
        shortestStallNanos == Long.MAX_VALUE ? null : shortestStallNanos / 1e6,
        pooled,
        cells.lost.length() / 1e6);
  }

  @Override
  public CongestionPoint congestionPoint(int millis) {
    CongestionFit fit = fit(millis);
    double[] load = cells.load(fit.millis());
    double maximum = Arrays.stream(cells.load(millis)).max().orElse(0);
    @Nullable Double asPublished =
        PublishedCongestionPoint.estimate(
            load, cells.perSecond(publishedWork, fit.millis()), options.correctedDeviation());
    List<CongestionPoint.Scale> scales = fits.stream().map(ServerAnalysis::scale).toList();
    String change = change(fit);
    if (fit.identifiable()) {
      // The bootstrap cannot see the error of the model; neighbouring lengths show part of it.
      List<CongestionFit> near = WindowChoice.plateau(fits);
      List<CongestionFit> agreeing = near.contains(fit) ? near : List.of();
      return new CongestionPoint(
          true,
          fit.knee(),
          agreeing.stream().mapToDouble(CongestionFit::knee).reduce(fit.low(), Math::min),
          agreeing.stream().mapToDouble(CongestionFit::knee).reduce(fit.high(), Math::max),
          maximum,
          asPublished,
          scales,
          fit.capacity(),
          shareAbove(load, fit.knee()),
          null,
          CongestionPoint.PLATEAU,
          fit.millis(),
          change);
    }
    if (drains != null) {
      return new CongestionPoint(
          true,
          drains.knee(),
          drains.low(),
          drains.high(),
          maximum,
          asPublished,
          scales,
          drains.capacity(),
          shareAbove(load, drains.knee()),
          null,
          CongestionPoint.DRAINS,
          WindowLengths.STALL_MILLIS,
          change);
    }
    return new CongestionPoint(
        false,
        null,
        null,
        null,
        maximum,
        asPublished,
        scales,
        null,
        null,
        fit.reason(),
        null,
        fit.millis(),
        change);
  }

  private static double shareAbove(double[] load, double limit) {
    return Arrays.stream(load).filter(value -> value > limit).count() / (double) load.length;
  }

  private @Nullable String change(CongestionFit fit) {
    CapacityChange change =
        CapacityChange.of(windows(fit.millis()), fit.identifiable() ? fit.knee() : Double.NaN);
    return change == null ? null : change.sentence();
  }

  private static CongestionPoint.Scale scale(CongestionFit fit) {
    return fit.identifiable()
        ? new CongestionPoint.Scale(fit.millis(), fit.knee(), fit.low(), fit.high())
        : new CongestionPoint.Scale(fit.millis(), null, null, null);
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
        scatter(fit.millis()),
        fit.millis());
  }

  private Scatter scatter(int millis) {
    return Scatter.of(
        cells.load(millis),
        cells.perSecond(work, millis),
        cells.anyInWindow(cells.overlapping(stalls), millis),
        cells.anyInWindow(cells.lostCells(), millis));
  }
}
