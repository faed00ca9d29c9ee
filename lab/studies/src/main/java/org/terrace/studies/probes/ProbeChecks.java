package org.terrace.studies.probes;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.analysis.study.Validity;
import org.terrace.analysis.tail.OrderStatistics;
import org.terrace.core.Percentiles;

/**
 * Checks of probes and samples that catch the accidents of measurements in this field: too few
 * calls, counters that overflowed, milliseconds taken for microseconds, probes that were swapped or
 * not matched, and parameters that nobody wrote down. Stateless.
 */
public final class ProbeChecks {
  private static final long INT_RANGE = 1L << 32;

  /** Durations this close to a multiple of the 32-bit range, in units, are wrapped differences. */
  private static final long NEAR = 1L << 20;

  /** Units of clocks, in nanoseconds: what a mix-up multiplies by. */
  private static final long[] UNITS = {1_000_000_000L, 1_000_000L, 1_000L, 1L};

  /** Fewer values than this tell nothing of a clock's resolution. */
  private static final int LEAST_FOR_RESOLUTION = 20;

  /** First times of two probes of one run that differ by this factor are not in one unit. */
  private static final double SAME_AGE = 10;

  private ProbeChecks() {}

  /** Whether there are enough calls for a finite interval of a percentile. */
  public static Validity enoughCalls(int calls, double percentile, double confidence) {
    int least = OrderStatistics.leastCount(percentile, confidence);
    return new Validity(
        "enough-calls",
        calls >= least,
        String.format(
            Locale.ROOT,
            "%,d calls; a finite %s %% interval of p%s needs %,d",
            calls,
            plain(confidence * 100),
            plain(percentile),
            least));
  }

  /** Whether as many calls were measured as were planned. */
  public static Validity plannedCalls(int calls, int planned) {
    return new Validity(
        "planned-calls",
        calls == planned,
        String.format(Locale.ROOT, "%,d calls of %,d planned", calls, planned));
  }

  /**
   * Whether times are free of 32-bit overflow. A clock kept in 32 bits jumps by about 2^32 of its
   * units when it wraps: the next time is that much earlier.
   *
   * @param probe the name of the probe
   * @param timesNanos its times in the order they were written
   */
  public static Validity noOverflow(String probe, long[] timesNanos) {
    int jumps = 0;
    int outside = 0;
    for (int i = 0; i < timesNanos.length; i++) {
      if (timesNanos[i] < 0) {
        outside++;
      }
      if (i > 0 && timesNanos[i] < timesNanos[i - 1] && isWrap(timesNanos[i - 1] - timesNanos[i])) {
        jumps++;
      }
    }
    return new Validity(
        "no-overflow",
        jumps == 0 && outside == 0,
        String.format(
            Locale.ROOT,
            "%s: %,d jumps back by 2^32 of a clock's units and %,d times before 1970 in %,d rows",
            probe,
            jumps,
            outside,
            timesNanos.length));
  }

  private static boolean isWrap(long backNanos) {
    for (long unit : UNITS) {
      long back = backNanos / unit;
      // What passed between two rows is taken off the jump, so it may be a little short.
      if (back > INT_RANGE - INT_RANGE / 16 && back <= INT_RANGE + NEAR) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether two probes tell time in the same unit. The coarsest unit that divides all times of a
   * probe is its resolution, which must be equal; times must lie in the same age; and durations at
   * the server must not exceed those at the client.
   *
   * @param client the rows of the client
   * @param servers the rows of the servers
   */
  public static Validity sameUnit(ProbeRows client, ProbeRows servers) {
    long ofClient = resolution(client);
    long ofServers = resolution(servers);
    Components parts = Components.of(client, servers);
    int longer = 0;
    for (long middleware : parts.middlewareNanos()) {
      longer += middleware < 0 ? 1 : 0;
    }
    boolean inside = parts.latencyNanos().length == 0 || 2 * longer < parts.latencyNanos().length;
    boolean same =
        Math.min(client.size(), servers.size()) < LEAST_FOR_RESOLUTION || ofClient == ofServers;
    return new Validity(
        "same-unit",
        inside && same && sameAge(client, servers),
        String.format(
            Locale.ROOT,
            "the client's times are multiples of %,d ns and begin at %d, the servers' of %,d ns and"
                + " at %d; the server's part is longer than the whole in %,d of %,d calls",
            ofClient,
            first(client),
            ofServers,
            first(servers),
            longer,
            parts.latencyNanos().length));
  }

  private static boolean sameAge(ProbeRows client, ProbeRows servers) {
    double ratio = (double) Math.max(1, first(client)) / Math.max(1, first(servers));
    return client.size() == 0 || servers.size() == 0 || (ratio < SAME_AGE && 1 / ratio < SAME_AGE);
  }

  private static long first(ProbeRows rows) {
    return rows.size() == 0 ? 0 : rows.startNanos()[0];
  }

  /** The coarsest of s, ms, us and ns that divides all times, in nanoseconds. */
  static long resolution(ProbeRows rows) {
    for (long unit : UNITS) {
      boolean divides = rows.size() > 0;
      for (int i = 0; i < rows.size() && divides; i++) {
        divides = rows.startNanos()[i] % unit == 0 && rows.endNanos()[i] % unit == 0;
      }
      if (divides) {
        return unit;
      }
    }
    return 1;
  }

  /**
   * Whether times resolve what they measure: the clock's resolution must be a tenth of the median
   * duration or finer.
   */
  public static Validity resolved(String probe, ProbeRows rows) {
    long resolution = resolution(rows);
    long[] durations = rows.durations();
    Arrays.sort(durations);
    long median = durations.length == 0 ? 0 : Percentiles.ofSorted(durations, 50);
    return new Validity(
        "resolved",
        durations.length == 0 || 10 * resolution <= median,
        String.format(
            Locale.ROOT,
            "%s: times are multiples of %,d ns; the median is %,d ns",
            probe,
            resolution,
            median));
  }

  /** Whether no probe pair was swapped: an end before its start. */
  public static Validity notSwapped(String probe, ProbeRows rows) {
    int negative = 0;
    for (long duration : rows.durations()) {
      negative += duration < 0 ? 1 : 0;
    }
    return new Validity(
        "not-swapped",
        negative == 0,
        String.format(
            Locale.ROOT, "%s: %,d of %,d durations are negative", probe, negative, rows.size()));
  }

  /**
   * Whether the servers' rows belong to the calls: every call has one, none is unknown, and no
   * server's part is longer than its whole call.
   */
  public static Validity matched(Components parts) {
    int longer = 0;
    for (long middleware : parts.middlewareNanos()) {
      longer += middleware < 0 ? 1 : 0;
    }
    return new Validity(
        "matched",
        parts.unmatchedCalls() == 0 && parts.unmatchedServerRows() == 0 && longer == 0,
        String.format(
            Locale.ROOT,
            "%,d calls without a row at a server, %,d rows without a call, %,d rows longer than"
                + " their call, of %,d calls",
            parts.unmatchedCalls(),
            parts.unmatchedServerRows(),
            longer,
            parts.latencyNanos().length + parts.unmatchedCalls()));
  }

  /** Whether every parameter that a study must name is named with a value. */
  public static Validity documented(List<StudyDescription.Parameter> given, List<String> needed) {
    List<String> missing =
        needed.stream()
            .filter(name ->
                given.stream().noneMatch(p -> p.name().equals(name) && !p.value().isBlank()))
            .toList();
    return new Validity(
        "documented",
        missing.isEmpty(),
        missing.isEmpty()
            ? String.format(Locale.ROOT, "all %,d parameters are written down", needed.size())
            : "not written down: " + String.join(", ", missing));
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
