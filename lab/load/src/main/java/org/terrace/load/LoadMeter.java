package org.terrace.load;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.load.RowFormat.PageFacts;
import org.terrace.load.RowFormat.PageTimes;
import org.terrace.load.mix.Mix;
import org.terrace.load.mix.ThinkTime;
import org.terrace.load.mix.TransitionTable;

/**
 * Counts what the users do: every page goes to the log, to the figures of the current second, and,
 * when it was begun in the run phase, to the figures of the run. Thread-safe.
 */
final class LoadMeter {
  private final RequestLog log;
  private final LoadClock clock;
  private final Map<TransitionTable, ThinkTime[]> thinkTimes = new HashMap<>();
  private final TimeHistogram second = new TimeHistogram();
  private final TimeHistogram response = new TimeHistogram();
  private final TimeHistogram intended = new TimeHistogram();
  private final TimeHistogram lateness = new TimeHistogram();
  private final ClosedRate closedRate;
  private final long[] failures = new long[Failure.values().length];
  private long secondErrors;
  private long runErrors;
  private long runStart = Long.MAX_VALUE;
  private long runEnd = Long.MAX_VALUE;

  LoadMeter(RequestLog log, LoadClock clock, LoadPlan plan, Mix mix) {
    this.log = log;
    this.clock = clock;
    this.closedRate = new ClosedRate(plan.model().users());
    addThinkTimes(plan, mix.user());
    if (mix.author() != null) {
      addThinkTimes(plan, mix.author());
    }
  }

  private void addThinkTimes(LoadPlan plan, TransitionTable table) {
    ThinkTime[] times = new ThinkTime[table.states().size()];
    for (int state = 0; state < times.length; state++) {
      @Nullable ThinkTime override = plan.thinkOverrides().get(table.states().get(state));
      @Nullable ThinkTime own = table.think(state);
      times[state] = override != null ? override : own != null ? own : plan.think();
    }
    thinkTimes.put(table, times);
  }

  /** The think time after a page of a state. */
  ThinkTime think(TransitionTable table, int state) {
    ThinkTime[] times = thinkTimes.get(table);
    if (times == null) {
      throw new IllegalArgumentException("a table of another mix");
    }
    return times[state];
  }

  /** From this moment of the monotonic clock on, pages begun count for the run. */
  synchronized void startRun(long elapsedNanos) {
    runStart = elapsedNanos;
    closedRate.startRun(elapsedNanos);
  }

  /** From this moment on they no longer do. */
  synchronized void endRun(long elapsedNanos) {
    runEnd = elapsedNanos;
    closedRate.endRun(elapsedNanos);
  }

  /**
   * Records that a user of a closed load thinks.
   *
   * @param free when it began to, on the monotonic clock
   * @param due when it is to ask again
   * @param drawnNanos the think time before the pace of the load divides it
   * @param meanNanos the mean of such think times
   */
  synchronized void recordThink(int user, long free, long due, long drawnNanos, double meanNanos) {
    closedRate.addThink(user, free, due, drawnNanos, meanNanos);
  }

  /**
   * Records a page.
   *
   * @param times on the monotonic clock
   */
  synchronized void record(PageTimes times, PageFacts facts) {
    log.add(
        new PageTimes(
            clock.epochNanos(times.intendedNanos()),
            clock.epochNanos(times.readyNanos()),
            clock.epochNanos(times.startNanos()),
            clock.epochNanos(times.endNanos())),
        facts);
    boolean failed = facts.failure() != Failure.NONE;
    failures[facts.failure().ordinal()]++;
    second.add(times.responseNanos() / 1000);
    secondErrors += failed ? 1 : 0;
    closedRate.addPage(facts.user(), times.startNanos(), times.endNanos());
    if (times.startNanos() >= runStart && times.startNanos() < runEnd) {
      response.add(times.responseNanos() / 1000);
      intended.add(Math.max(0, times.endNanos() - times.intendedNanos()) / 1000);
      lateness.add(times.latenessNanos() / 1000);
      runErrors += failed ? 1 : 0;
    }
  }

  /** The pages that ended since the last call. */
  synchronized Second takeSecond() {
    Second taken =
        new Second(second.count(), secondErrors, second.quantile(0.50), second.quantile(0.99));
    second.reset();
    secondErrors = 0;
    return taken;
  }

  /**
   * The figures of the time since the last look.
   *
   * @param requests pages that ended
   * @param errors those of them that failed
   */
  record Second(long requests, long errors, long p50Micros, long p99Micros) {}

  /** The figures of the run phase so far. */
  synchronized RunFigures run() {
    return new RunFigures(
        response.count(),
        runErrors,
        response.quantile(0.50),
        response.quantile(0.99),
        intended.quantile(0.99),
        lateness.quantile(0.50),
        lateness.quantile(0.99));
  }

  /** The figures of the pages begun in the run phase. */
  record RunFigures(
      long requests,
      long errors,
      double responseP50Micros,
      double responseP99Micros,
      double intendedP99Micros,
      double latenessP50Micros,
      double latenessP99Micros) {}

  /** The pages a second that are expected of a closed load's run, which has ended. */
  synchronized double expectedOfClosed(double runSeconds) {
    return closedRate.perSecond(response.count() / runSeconds, runSeconds * 1e9);
  }

  /** Pages of all phases by how they ended; kinds that did not occur are absent. */
  synchronized Map<Failure, Long> failures() {
    Map<Failure, Long> counts = new EnumMap<>(Failure.class);
    Arrays.stream(Failure.values())
        .filter(failure -> failures[failure.ordinal()] > 0)
        .forEach(failure -> counts.put(failure, failures[failure.ordinal()]));
    return counts;
  }
}
