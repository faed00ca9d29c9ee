package org.terrace.load;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The conditions under which figures of a run of load can be trusted, judged from the generator's
 * own figures. Pure.
 */
final class LoadChecks {
  /** Lateness up to this never matters to response times worth reporting. */
  static final double LATENESS_FLOOR_MICROS = 5_000;

  /** A thread that only sleeps is later than this on a machine that has too much to do. */
  static final double IDLE_LATENESS_MICROS = 2_000;

  /** Above the floor, lateness may reach this share of the response time it adds to. */
  static final double LATENESS_SHARE = 0.10;

  /** A generator busier than this (in cores) may itself be what is measured. */
  static final double CPU_LIMIT_CORES = 0.70;

  /** The achieved rate may miss the expected one by this share. */
  static final double RATE_TOLERANCE = 0.02;

  /** The most that a short run with few users is allowed to miss by chance. */
  static final double RATE_TOLERANCE_SHORT_RUN = 0.25;

  /** A walk interrupted more often than this no longer is the mix that was asked for. */
  static final double DETOUR_SHARE = 0.10;

  /**
   * The wall clock and the monotonic one run at the same pace, which whoever keeps the machine's
   * time sets for both: they part by a step alone.
   */
  static final double CLOCK_DRIFT_MICROS = 5_000;

  private LoadChecks() {}

  static List<LoadCheck> judge(
      GeneratorFacts facts, Map<Failure, Long> failures, boolean completed, double rateNoise) {
    List<LoadCheck> checks = new ArrayList<>();
    checks.add(lateness(facts));
    checks.add(
        new LoadCheck(
            "generator-cpu",
            facts.cpuCores() <= CPU_LIMIT_CORES,
            text(
                "the generator used %.2f cores (at most %.2f)",
                facts.cpuCores(), CPU_LIMIT_CORES)));
    checks.add(rate(facts, rateNoise));
    checks.add(connections(failures));
    long pages = failures.values().stream().mapToLong(Long::longValue).sum();
    checks.add(
        new LoadCheck(
            "walk-followed",
            facts.detours() <= DETOUR_SHARE * pages,
            text(
                "%d of %d pages did not offer the state that the walk chose (at most %.0f %%)",
                facts.detours(), pages, 100 * DETOUR_SHARE)));
    checks.add(
        new LoadCheck(
            "rows-recorded",
            facts.rowsLost() == 0,
            text("%d requests could not be recorded", facts.rowsLost())));
    checks.add(clock(facts));
    checks.add(
        new LoadCheck(
            "run-completed",
            completed && facts.requests() > 0,
            completed
                ? text("the run phase had its length and %d requests", facts.requests())
                : "the load was stopped before the end of its run phase"));
    return checks;
  }

  /**
   * A late generator fails the run even when the sentinel was as late: the figures are as wrong
   * whoever is to blame. The detail says who was.
   */
  private static LoadCheck lateness(GeneratorFacts facts) {
    double bound = Math.max(LATENESS_FLOOR_MICROS, LATENESS_SHARE * facts.responseP99Micros());
    boolean passed = facts.latenessP99Micros() <= bound;
    String detail =
        text(
            "lateness p50 %.2f ms, p99 %.2f ms (at most %.2f); idle sentinel p50 %.2f ms, p99 %.2f"
                + " ms; %d collections, the longest %.0f ms",
            facts.latenessP50Micros() / 1000,
            facts.latenessP99Micros() / 1000,
            bound / 1000,
            facts.sentinelP50Micros() / 1000,
            facts.sentinelP99Micros() / 1000,
            facts.collections(),
            facts.longestCollectionMicros() / 1000);
    if (!passed) {
      boolean everyone =
          facts.sentinelP99Micros()
              >= Math.min(IDLE_LATENESS_MICROS, facts.latenessP99Micros() / 2);
      boolean collector = facts.longestCollectionMicros() >= facts.sentinelP99Micros() / 2;
      detail +=
          !everyone
              ? ": the generator was late, the machine was not"
              : collector
                  ? ": the generator's collector stopped it"
                  : ": threads that only slept were late too, so the machine had too much to do; run less"
                      + " beside it, or give it more cores";
    }
    return new LoadCheck("generator-lateness", passed, detail);
  }

  /**
   * Servers, capture and monitors tell times by the wall clock, and the load by the one it had at
   * its start: where that was set meanwhile, the rows of a result are not of one scale.
   */
  private static LoadCheck clock(GeneratorFacts facts) {
    boolean passed = Math.abs(facts.clockDriftMicros()) <= CLOCK_DRIFT_MICROS;
    return new LoadCheck(
        "clock-kept",
        passed,
        text(
            "the wall clock moved by %.2f ms against the monotonic one (at most %.2f)%s",
            facts.clockDriftMicros() / 1000,
            CLOCK_DRIFT_MICROS / 1000,
            passed
                ? ""
                : ": it was set during the run, so that times of servers and of users cannot be"
                    + " compared; let nobody set it, and run again"));
  }

  private static LoadCheck rate(GeneratorFacts facts, double noise) {
    double tolerance = Math.clamp(noise, RATE_TOLERANCE, RATE_TOLERANCE_SHORT_RUN);
    double ratio =
        facts.expectedPerSecond() > 0 ? facts.achievedPerSecond() / facts.expectedPerSecond() : 0;
    String detail =
        text(
            "%.1f requests/s sent, %.1f expected: ratio %.4f (within %.1f %%%s)",
            facts.achievedPerSecond(),
            facts.expectedPerSecond(),
            ratio,
            100 * tolerance,
            tolerance > RATE_TOLERANCE ? ", which is what chance does to so short a run" : "");
    if (facts.arrivalsDropped() > 0) {
      detail += text("; %d arrivals dropped or never served", facts.arrivalsDropped());
    }
    return new LoadCheck("achieved-rate", Math.abs(ratio - 1) <= tolerance, detail);
  }

  private static LoadCheck connections(Map<Failure, Long> failures) {
    long pages = failures.values().stream().mapToLong(Long::longValue).sum();
    long local = failures.getOrDefault(Failure.LOCAL, 0L);
    long refused = failures.getOrDefault(Failure.REFUSED, 0L);
    long unreachable = failures.getOrDefault(Failure.UNREACHABLE, 0L);
    return new LoadCheck(
        LoadResult.CONNECTIONS,
        local == 0 && refused + unreachable <= LoadResult.MOST_UNCONNECTED * pages,
        text(
            "%d refused, %d unreachable of %d pages (at most %.0f %%), %d without a socket of this"
                + " machine (at most 0)",
            refused, unreachable, pages, 100 * LoadResult.MOST_UNCONNECTED, local));
  }

  @FormatMethod
  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
