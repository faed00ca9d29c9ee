package org.terrace.studies.magical;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import org.terrace.core.RequestIdentity;
import org.terrace.studies.probes.ProbeRows;

/** Probes and results that were not measured, of distributions that are known. */
final class MadeUp {
  static final long MILLI = 1_000_000;

  /** A dozen configurations in which every factor varies. */
  static final List<MagicalConfiguration> DOZEN =
      MagicalConfiguration.balanced(
          List.of(1, 4, 7, 10),
          List.of(Duration.ZERO, Duration.ofMillis(20), Duration.ofMillis(40)),
          List.of(0, 256, 512, 1_024),
          12);

  private static final long START = 1_000_000_000_000_000L;
  private static final double SERVER_PART = 0.7;

  private MadeUp() {}

  /**
   * One configuration, of calls one after another.
   *
   * @param quantile the latency in milliseconds for a probability
   */
  static Measurement measurement(
      MagicalConfiguration configuration,
      int calls,
      DoubleUnaryOperator quantile,
      RandomGenerator random) {
    // The part that varies is the server's in two calls of three, and else the middleware's.
    return measurement(
        configuration,
        calls,
        call -> quantile.applyAsDouble(random.nextDouble()),
        call -> random.nextInt(3) > 0);
  }

  /**
   * One configuration, of calls one after another.
   *
   * @param millis the latency of the call of that number, from 0
   * @param atServer whether the part of it that varies is the server's
   */
  static Measurement measurement(
      MagicalConfiguration configuration,
      int calls,
      IntToDoubleFunction millis,
      IntPredicate atServer) {
    List<RequestIdentity> identities = new ArrayList<>();
    long[] starts = new long[calls];
    long[] ends = new long[calls];
    long[] arrivals = new long[calls];
    long[] departures = new long[calls];
    long now = START;
    for (int i = 0; i < calls; i++) {
      long latency = (long) (millis.applyAsDouble(i) * MILLI);
      long server =
          atServer.test(i)
              ? Math.max(latency / 100, latency - MILLI * 3 / 10)
              : Math.min(latency * 9 / 10, (long) (SERVER_PART * MILLI));
      identities.add(new RequestIdentity(7, i + 100L));
      starts[i] = now;
      ends[i] = now + latency;
      arrivals[i] = now + (latency - server) / 2;
      departures[i] = arrivals[i] + server;
      now = ends[i] + configuration.think().toNanos() + 1;
    }
    return Measurement.of(
        configuration,
        new ProbeRows(identities, starts, ends),
        new ProbeRows(identities, arrivals, departures),
        calls,
        0,
        1);
  }

  /** A result without crashes, by rising mean as the runner sorts it. */
  static ApplicationResult application(Subject subject, List<Measurement> measurements) {
    return new ApplicationResult(
        subject,
        "terrace",
        measurements.stream()
            .sorted((a, b) -> Double.compare(a.meanMillis(), b.meanMillis()))
            .toList(),
        Optional.empty(),
        true,
        0);
  }

  /** The same measurement at another rate, in calls a second. */
  static Measurement withRate(Measurement from, double rate) {
    return new Measurement(
        from.configuration(),
        from.tail(),
        from.split(),
        from.leastNanos(),
        from.serverMeanNanos(),
        rate,
        rate,
        from.outlierZ(),
        from.outliersByTenth(),
        from.outliersInBursts(),
        from.unanswered(),
        from.checks());
  }

  /** The same result with crashes. */
  static ApplicationResult withRecovery(ApplicationResult from, Recovery recovery) {
    return new ApplicationResult(
        from.subject(),
        from.middleware(),
        from.measurements(),
        Optional.of(recovery),
        from.invariantsHold(),
        from.dropped());
  }
}
