package org.terrace.analysis;

import java.util.Arrays;
import java.util.List;
import org.terrace.analysis.congestion.CongestionFit;
import org.terrace.analysis.congestion.Episode;
import org.terrace.analysis.congestion.LoadWindows;
import org.terrace.analysis.congestion.WindowChoice;
import org.terrace.analysis.evidence.PacketEvidence;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.PooledEvents;
import org.terrace.core.RadixSort;
import org.terrace.core.Strata;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

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
  private final ServerLimit limit;
  private final Stretch stretch;
  private final AnalysisOptions options;
  private final Cells cells;
  private final Residences residences;

  private final WorkUnits units;
  private final double[] robustUnits;
  private final double[] publishedUnits;
  private final double[] work;
  private final double[] publishedWork;
  private final List<String> classNames;

  /**
   * Analyses the requests of one server, and the calls it makes of others.
   *
   * @param events the events of the whole observation
   */
  ServerAnalysis(
      ServerRequests rows,
      List<CallsOut> calls,
      List<Event> events,
      Stretch stretch,
      RadixSort sort,
      AnalysisOptions options) {
    this.options = options;
    server = rows.server;
    int quotaMillis = EventGroup.quotaMillis(server, events, stretch);
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
    robustUnits = units.robust(residences);
    publishedUnits = units.published();
    work = work(rows, robustUnits);
    publishedWork = work(rows, publishedUnits);
    limit =
        new ServerLimit(
            rows,
            calls,
            cells,
            work,
            cells.overlapping(stalls),
            units.averageNanos(residences) / 1e9,
            quotaMillis,
            throttled(events),
            stretch,
            options);
  }

  private boolean[] throttled(List<Event> events) {
    boolean[] throttled = new boolean[cells.count];
    events.stream()
        .filter(event -> event.kind().equals(EventKinds.CPU_THROTTLED))
        .filter(event -> event.node().equals(server))
        .forEach(event -> cells.mark(throttled, event.startNanos(), event.endNanos()));
    return throttled;
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
    Arrays.setAll(counts, cell -> cells.completions[cell]);
    return counts;
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
    double[] there = new double[seconds];
    for (int cell = 0; cell < cells.count; cell++) {
      int second = (int) ((long) cell * seconds / cells.count);
      came[second] += cells.arrivals[cell];
      there[second] += cells.loadNanos[cell];
    }
    int strata = Math.clamp(seconds / FEWEST_SECONDS, 1, MOST_STRATA);
    return Strata.byDemand(stretch.startNanos(), Math.max(1, nanos / seconds), came, there, strata);
  }

  @Override
  public WindowChoice.Vote vote() {
    return WindowChoice.vote(
        new WindowChoice.Candidate(
            limit.fits,
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

  @Override
  public List<Congestion> congestions(int millis) {
    CongestionFit fit = limit.fit(millis);
    return episodes(fit, congestionPoint(millis)).stream()
        .map(each ->
            new Congestion(
                nanos(each.firstWindow() * (long) fit.millis()),
                nanos(each.endWindow() * (long) fit.millis()),
                each.beyond(),
                each.peakLoad(),
                each.ofUsual(),
                limit.awaited(each.firstWindow() * fit.millis(), each.endWindow() * fit.millis())))
        .toList();
  }

  private long nanos(long millis) {
    return cells.startNanos + millis * 1_000_000L;
  }

  private List<Episode> episodes(CongestionFit fit, CongestionPoint point) {
    // A lost window ends an episode.
    LoadWindows windows =
        limit.windows(fit.millis()).idleIn(cells.anyInWindow(cells.lostCells(), fit.millis()));
    Double knee = point.load();
    Double high = point.high();
    Double capacity = point.capacityPerSecond();
    if (knee != null && high != null && capacity != null) {
      return Episode.find(windows, capacity / knee, knee, high);
    }
    // A server that usually takes far longer than at low load has no usual pace but its queue's.
    double pace = fit.proportion() * units.averageNanos(residences) / 1e9;
    double slope = pace > MOSTLY_QUEUES ? fit.proportion() : Double.NaN;
    List<Episode> slow = Episode.find(windows, slope, Double.NaN, Double.NaN);
    // What a server does most of the time is its usual pace.
    int slowWindows = slow.stream().mapToInt(e -> e.endWindow() - e.firstWindow()).sum();
    return 2 * slowWindows > windows.count() ? List.of() : slow;
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
    return limit.point(millis, publishedWork, options);
  }

  ServerDetail detail(int millis) {
    CongestionFit fit = limit.fit(millis);
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
