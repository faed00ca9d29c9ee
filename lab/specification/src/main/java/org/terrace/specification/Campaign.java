package org.terrace.specification;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.terrace.experiment.Distribution;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.nodes.fault.NetworkEffect;
import org.terrace.specification.Values.Range;

/**
 * A campaign: faults that a seed draws before the run starts. Each arrival takes the same number of
 * random numbers whatever becomes of it, so that a fault which finds its server taken is left out
 * and all others stay what they were. Times are whole milliseconds. The same campaign draws the
 * same on any machine: it uses {@link Random}, whose algorithm is specified, and {@link
 * StrictMath}. Immutable.
 *
 * @param seed the seed
 * @param from the moment from which faults arrive, from the start of the run
 * @param to the moment at which the last of them has ended
 * @param every the time from one arrival to the next
 * @param kinds what is drawn, each as often
 * @param quiet the least time between two faults of one server
 * @param lengths the lengths of all faults; empty: the usual ones of each kind
 * @param shares the shares of packets that are lost
 * @param rates the rates of storage and of networks, in bytes a second
 * @param delays the delays of packets
 */
record Campaign(
    long seed,
    Duration from,
    Duration to,
    Distribution every,
    List<Drawn> kinds,
    Duration quiet,
    Optional<Range<Duration>> lengths,
    Range<Double> shares,
    Range<Long> rates,
    Range<Duration> delays) {
  /** The most faults that one campaign draws. */
  static final int MOST = 1_000;

  static final Duration USUAL_QUIET = Duration.ofSeconds(1);
  static final Range<Double> USUAL_SHARES = new Range<>(0.01, 0.2);
  static final Range<Long> USUAL_RATES = new Range<>(64L << 10, 1L << 20);

  static final Range<Duration> USUAL_DELAYS = millis(5, 50);

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final double SHARE_STEPS = 1e4;
  private static final int KIBIBYTE_SHIFT = 10;

  /** Copies the list. */
  Campaign {
    kinds = List.copyOf(kinds);
  }

  /**
   * A kind of fault that is drawn. Immutable.
   *
   * @param servers those that it may strike, one or more
   */
  record Drawn(String kind, List<String> servers) {
    Drawn {
      servers = List.copyOf(servers);
    }
  }

  /** The same campaign of other kinds or servers. */
  Campaign of(List<Drawn> others) {
    return new Campaign(seed, from, to, every, others, quiet, lengths, shares, rates, delays);
  }

  /** Tells whether a server is free for a stretch of the run. */
  interface Calendar {
    boolean isFree(String server, Duration from, Duration to);
  }

  /**
   * Draws the faults, in the order of their beginnings.
   *
   * @param others what else strikes the servers
   * @param factory makes a fault of a kind whose amounts are all usual ones
   */
  List<Fault> draw(Calendar others, FaultFactory factory) {
    Random random = new Random(mixed(seed));
    List<Fault> drawn = new ArrayList<>();
    double at = from.toNanos();
    while (drawn.size() < MOST) {
      double gap = random.nextDouble();
      Drawn what = kinds.get(random.nextInt(kinds.size()));
      String server = what.servers().get(random.nextInt(what.servers().size()));
      double forLength = random.nextDouble();
      double forAmount = random.nextDouble();
      at += gap(gap);
      if (at >= to.toNanos()) {
        return drawn;
      }
      Duration begin = wholeMillis(at);
      Duration length = length(what.kind(), forLength);
      Duration end = begin.plus(length);
      Duration quietFrom = begin.minus(quiet);
      Duration quietTo = end.plus(quiet);
      if (end.compareTo(to) <= 0
          && others.isFree(server, quietFrom, quietTo)
          && drawn.stream().noneMatch(each -> meets(each, server, quietFrom, quietTo))) {
        drawn.add(
            fault(what.kind(), server, Schedule.once(begin), length, forAmount)
                .orElseGet(() -> factory.make(what.kind(), server, Schedule.once(begin), length)));
      }
    }
    return drawn;
  }

  /** Makes a fault by the word for it. */
  interface FaultFactory {
    Fault make(String kind, String server, Schedule schedule, Duration length);
  }

  private static boolean meets(Fault fault, String server, Duration from, Duration to) {
    Duration at = fault.schedule().at();
    return fault.server().equals(server)
        && at.compareTo(to) < 0
        && at.plus(fault.length().orElseThrow()).compareTo(from) > 0;
  }

  /** Neighbouring seeds begin {@link Random} alike: this is the last step of SplitMix64. */
  private static long mixed(long seed) {
    long bits = seed + 0x9e3779b97f4a7c15L;
    bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
    return bits ^ (bits >>> 31);
  }

  private double gap(double uniform) {
    double mean = every.mean().toNanos();
    return switch (every) {
      case Distribution.Constant _ -> mean;
      case Distribution.Exponential _ -> -StrictMath.log(1 - uniform) * mean;
    };
  }

  private static Duration wholeMillis(double nanos) {
    return Duration.ofMillis(Math.round(nanos / NANOS_PER_MILLI));
  }

  private Duration length(String kind, double uniform) {
    return between(lengths.orElseGet(() -> usualLengths(kind)), uniform);
  }

  private static Duration between(Range<Duration> range, double uniform) {
    double least = range.least().toNanos();
    return within(range, wholeMillis(least + uniform * (range.most().toNanos() - least)));
  }

  private static <T extends Comparable<T>> T within(Range<T> range, T value) {
    if (value.compareTo(range.least()) < 0) {
      return range.least();
    }
    return value.compareTo(range.most()) > 0 ? range.most() : value;
  }

  /** The lengths of a kind where none are given; of a kill the time until it is started again. */
  static Range<Duration> usualLengths(String kind) {
    return switch (kind) {
      case FaultKinds.KILL -> millis(500, 3_000);
      case FaultKinds.PAUSE, FaultKinds.ROW_LOCK -> millis(100, 1_000);
      case FaultKinds.SYN_DROP, FaultKinds.CUT -> millis(200, 2_000);
      default -> millis(1_000, 5_000);
    };
  }

  private static Range<Duration> millis(long least, long most) {
    return new Range<>(Duration.ofMillis(least), Duration.ofMillis(most));
  }

  /** A fault with an amount of its own; empty for other kinds. */
  private Optional<Fault> fault(
      String kind, String server, Schedule when, Duration length, double uniform) {
    return switch (kind) {
      case FaultKinds.LOSS ->
          Optional.of(
              new Fault.Network(server, when, length, new NetworkEffect.Loss(share(uniform))));
      case FaultKinds.BANDWIDTH ->
          Optional.of(
              new Fault.Network(server, when, length, new NetworkEffect.Bandwidth(rate(uniform))));
      case FaultKinds.DELAY ->
          Optional.of(
              new Fault.Network(
                  server,
                  when,
                  length,
                  new NetworkEffect.Delay(between(delays, uniform), Duration.ZERO)));
      case FaultKinds.SLOW_DISK ->
          Optional.of(new Fault.SlowDisk(server, when, length, rate(uniform)));
      default -> Optional.empty();
    };
  }

  private double share(double uniform) {
    double share = shares.least() + uniform * (shares.most() - shares.least());
    return within(shares, Math.round(share * SHARE_STEPS) / SHARE_STEPS);
  }

  private long rate(double uniform) {
    long rate = rates.least() + (long) (uniform * (rates.most() - rates.least()));
    return within(rates, rate >> KIBIBYTE_SHIFT << KIBIBYTE_SHIFT);
  }
}
