package org.terrace.analysis;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.congestion.CallWaits;
import org.terrace.analysis.congestion.CapacityChange;
import org.terrace.analysis.congestion.CongestionFit;
import org.terrace.analysis.congestion.Drains;
import org.terrace.analysis.congestion.LoadWindows;
import org.terrace.analysis.congestion.PublishedCongestionPoint;
import org.terrace.analysis.congestion.QuotaCapacity;
import org.terrace.analysis.congestion.ServiceSlots;
import org.terrace.analysis.congestion.WindowChoice;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.core.RadixSort;

/**
 * The load beyond which one server itself does no more: by the order of its answers, by the bend of
 * its throughput, or by its pace while it works off a backlog. Times in which it only waits for a
 * server that it calls ({@link CallWaits}) tell nothing of that, and are left out.
 */
final class ServerLimit {
  /** The length of the blocks in which waits are told, or a quota's period where it is longer. */
  private static final int BLOCK_MILLIS = 50;

  /** A block is so many times as long as a request takes, so that load and throughput go along. */
  private static final int BLOCK_RESIDENCES = 2;

  private static final int LONGEST_BLOCK_MILLIS = 1_000;

  /** The part of the time in which a quota holds back one that it is a limit for. */
  private static final double OFTEN_THROTTLED = 0.02;

  /** The plausible error of a capacity times a time at low load, as a factor. */
  private static final double ORDER_ERROR = 1.05;

  /** The fits at each window length, shortest first. */
  final List<CongestionFit> fits;

  private final Cells cells;
  private final double[] work;
  private final boolean[] excludedCells;
  private final int quotaMillis;
  private final int blockMillis;
  private final CallWaits waits;

  /** The excluded cells, and those around its waits. */
  private final boolean[] untold;

  private final double residenceSeconds;
  private final @Nullable QuotaCapacity underQuota;
  private final boolean isUsuallyHeldBack;
  private final @Nullable ServiceSlots slots;
  private final @Nullable Drains drains;

  /**
   * The limit of a server.
   *
   * @param stalledCells the cells that tell nothing of the usual
   * @param residenceSeconds the time that a request takes at low load
   * @param quotaPeriodMillis the period of the quota that holds it back; zero when none does
   * @param throttledCells the cells in which it does
   */
  ServerLimit(
      ServerRequests rows,
      List<CallsOut> calls,
      Cells cells,
      double[] work,
      boolean[] stalledCells,
      double residenceSeconds,
      int quotaPeriodMillis,
      boolean[] throttledCells,
      Stretch stretch,
      AnalysisOptions options) {
    this.cells = cells;
    this.work = work;
    int periods = quotaPeriodMillis > 0 ? wholePeriods(quotaPeriodMillis) : BLOCK_MILLIS;
    LoadWindows windows = windows(periods, cells.lostCells());
    boolean[] throttled = cells.anyInWindow(throttledCells, periods);
    underQuota = quotaPeriodMillis > 0 ? QuotaCapacity.of(windows, throttled) : null;
    isUsuallyHeldBack = quotaPeriodMillis > 0 && QuotaCapacity.isUsual(windows, throttled);
    boolean isOften = throttledShare(throttledCells) >= OFTEN_THROTTLED;
    quotaMillis = isOften || underQuota != null ? quotaPeriodMillis : 0;
    boolean hasQuota = quotaMillis > 0;
    // What a quota withholds is part of what the server can do, and so are the stalls it makes.
    excludedCells = hasQuota ? cells.lostCells() : stalledCells;
    this.residenceSeconds = residenceSeconds;
    boolean isLong = quotaMillis > BLOCK_MILLIS && quotaMillis % WindowLengths.CELL_MILLIS == 0;
    int unit = isLong ? quotaMillis : BLOCK_MILLIS;
    double units = residenceSeconds > 0 ? BLOCK_RESIDENCES * residenceSeconds * 1e3 / unit : 1;
    blockMillis = unit * Math.clamp((long) Math.ceil(units), 1, LONGEST_BLOCK_MILLIS / unit);
    Map<String, double[]> inFlight = new LinkedHashMap<>();
    calls.forEach(each -> inFlight.put(each.target, each.inFlight(stretch, blockMillis)));
    waits = new CallWaits(cells.load(blockMillis), cells.perSecond(work, blockMillis), inFlight);
    untold = untold();
    fits = WindowLengths.MILLIS.stream().map(millis -> fit(millis, options)).toList();
    LoadWindows fine = windows(WindowLengths.STALL_MILLIS, untold);
    ServiceSlots seen = hasQuota ? null : ServiceSlots.of(answers(rows), fine, residenceSeconds);
    slots = seen == null || waits.awaitedBeyond(seen.count()) != null ? null : seen;
    Drains found =
        hasQuota ? null : Drains.of(fine, residenceSeconds, options.resamples(), options.seed());
    drains = found == null || waits.awaitedBeyond(found.knee()) != null ? null : found;
  }

  private boolean[] untold() {
    boolean[] marked = excludedCells.clone();
    boolean[] around = waits.around();
    int perBlock = WindowLengths.cells(blockMillis);
    for (int cell = 0; cell < around.length * perBlock; cell++) {
      marked[cell] |= around[cell / perBlock];
    }
    return marked;
  }

  private static double throttledShare(boolean[] throttledCells) {
    long throttled =
        IntStream.range(0, throttledCells.length).filter(i -> throttledCells[i]).count();
    return (double) throttled / Math.max(1, throttledCells.length);
  }

  private static int wholePeriods(int periodMillis) {
    return WindowLengths.MILLIS.stream()
        .filter(each -> each % periodMillis == 0)
        .findFirst()
        .orElse(WindowLengths.MILLIS.getLast());
  }

  private CongestionFit fit(int millis, AnalysisOptions options) {
    CongestionFit fit =
        CongestionFit.of(
            windows(millis, untold), quotaMillis, options.resamples(), options.seed() + millis);
    String awaited = fit.identifiable() ? waits.awaitedBeyond(fit.knee()) : null;
    return awaited == null ? fit : fit.refused(waiting(awaited));
  }

  private static String waiting(String awaited) {
    return "where its load is high it waits for " + awaited + ", and no limit of its own was seen";
  }

  /** The answers in the time that tells. */
  private ServiceSlots.Answers answers(ServerRequests rows) {
    ServiceSlots.Answers answers = new ServiceSlots.Answers();
    Parallelism.visit(
        rows,
        new RadixSort(),
        (row, overtaken, there) -> {
          long cell = (rows.departure[row] - cells.startNanos) / WindowLengths.CELL_NANOS;
          if (cell >= 0 && cell < cells.count && !untold[(int) cell]) {
            answers.add(overtaken, there);
          }
        });
    return answers;
  }

  private LoadWindows windows(int millis, boolean[] excluded) {
    return new LoadWindows(
        millis,
        cells.load(millis),
        cells.perSecond(work, millis),
        cells.arriving(millis),
        cells.anyInWindow(excluded, millis));
  }

  /** Load and throughput at a window length, in which waits are as usual as anything else. */
  LoadWindows windows(int millis) {
    return windows(millis, excludedCells);
  }

  /**
   * The fit at a window length; for a server with a quota that this length cannot tell, the first
   * that can, or whose reason is not the length.
   */
  CongestionFit fit(int millis) {
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

  /** The server that it waits for in a stretch of time from its start; null if for none. */
  @Nullable String awaited(int fromMillis, int toMillis) {
    return waits.awaited(fromMillis / blockMillis, Math.ceilDiv(toMillis, blockMillis));
  }

  /** An estimate of N*, its interval or plausible range, and what is done at and beyond it. */
  private record Estimate(
      String basis, int millis, double load, double low, double high, double capacity) {}

  private @Nullable Estimate estimate(CongestionFit fit) {
    if (underQuota != null && residenceSeconds > 0) {
      double able = underQuota.perSecond();
      double error = 2 * underQuota.error();
      return new Estimate(
          CongestionPoint.QUOTA,
          fit.millis(),
          able * residenceSeconds,
          (able - error) * residenceSeconds,
          (able + error) * residenceSeconds,
          able);
    }
    if (slots != null) {
      double knee = slots.knee();
      return new Estimate(
          CongestionPoint.ORDER,
          fit.millis(),
          knee,
          slots.count(),
          ORDER_ERROR * knee,
          slots.capacity());
    }
    if (fit.identifiable()) {
      // The bootstrap cannot see the error of the model; neighbouring lengths show part of it.
      List<CongestionFit> near = WindowChoice.plateau(fits);
      List<CongestionFit> agreeing = near.contains(fit) ? near : List.of();
      return new Estimate(
          CongestionPoint.PLATEAU,
          fit.millis(),
          fit.knee(),
          agreeing.stream().mapToDouble(CongestionFit::knee).reduce(fit.low(), Math::min),
          agreeing.stream().mapToDouble(CongestionFit::knee).reduce(fit.high(), Math::max),
          fit.capacity());
    }
    return drains == null
        ? null
        : new Estimate(
            CongestionPoint.DRAINS,
            WindowLengths.STALL_MILLIS,
            drains.knee(),
            drains.low(),
            drains.high(),
            drains.capacity());
  }

  /** The congestion point at a window length, with the estimate as published beside it. */
  CongestionPoint point(int millis, double[] publishedWork, AnalysisOptions options) {
    CongestionFit fit = fit(millis);
    double[] load = cells.load(fit.millis());
    Estimate estimate = estimate(fit);
    double limit = estimate == null ? Double.NaN : estimate.load;
    CapacityChange change = CapacityChange.of(windows(fit.millis(), untold), limit);
    return new CongestionPoint(
        estimate != null,
        estimate == null ? null : (Double) estimate.load,
        estimate == null ? null : (Double) estimate.low,
        estimate == null ? null : (Double) estimate.high,
        Arrays.stream(cells.load(millis)).max().orElse(0),
        PublishedCongestionPoint.estimate(
            load, cells.perSecond(publishedWork, fit.millis()), options.correctedDeviation()),
        fits.stream().map(ServerLimit::scale).toList(),
        estimate == null ? null : (Double) estimate.capacity,
        Double.isNaN(limit) ? null : (Double) shareAbove(load, limit, fit.millis()),
        estimate == null ? reason(fit) : null,
        estimate == null ? null : estimate.basis,
        estimate == null ? fit.millis() : estimate.millis,
        change == null ? null : change.sentence());
  }

  private @Nullable String reason(CongestionFit fit) {
    if (isUsuallyHeldBack) {
      return "its quota held it back most of the time, and what it does then is what the quota"
          + " leaves; times of less load, or a larger quota, would tell";
    }
    String awaited = waits.awaitedOften();
    return awaited == null ? fit.reason() : waiting(awaited);
  }

  /** The part of the windows beyond a limit in which the server did not wait for another. */
  private double shareAbove(double[] load, double limit, int millis) {
    return IntStream.range(0, load.length)
            .filter(i -> load[i] > limit && awaited(i * millis, (i + 1) * millis) == null)
            .count()
        / (double) load.length;
  }

  private static CongestionPoint.Scale scale(CongestionFit fit) {
    return fit.identifiable()
        ? new CongestionPoint.Scale(fit.millis(), fit.knee(), fit.low(), fit.high())
        : new CongestionPoint.Scale(fit.millis(), null, null, null);
  }
}
