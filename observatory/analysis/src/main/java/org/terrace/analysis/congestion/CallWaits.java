package org.terrace.analysis.congestion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Order;
import org.terrace.core.Poisson;

/**
 * The blocks of time in which a server is held up by those that it calls, and not by itself.
 *
 * <p>By Little's law a server's load is its throughput times the time that a request takes, and its
 * calls in flight are its throughput times the time that the calls of a request take. What is above
 * that at the times of low load is excess. A server waits where its load is clearly in excess and
 * most of the excess is in its calls. It also waits where nearly as many calls to one server as
 * ever are in flight, more than came at once by chance, and take more than {@value #SLOW_CALLS}
 * times as long as at low load: what else is in excess then waits for a thread or a connection.
 */
public final class CallWaits {
  /** The part of the time, that of least load, that tells the times of low load. */
  private static final double LOW_LOAD_SHARE = 0.2;

  /** Blocks looked at together for that: of a few requests those of little load are short ones. */
  private static final int TOGETHER = 10;

  /** The excess, as a part of the usual load at a throughput, from which on it is clear. */
  private static final double CLEAR = 0.4;

  /** Less excess than of one request holds up nobody. */
  private static final double LEAST = 1;

  private static final double MOST = 0.5;
  private static final double SLOW_CALLS = 2;

  /** The part of the most calls ever in flight at once that are nearly all. */
  private static final double ALL_IN_FLIGHT = 0.75;

  /** The most probable number of calls at random that still tells of slow ones. */
  private static final double CHANCE = 0.02;

  /** The part of the blocks in which a server waits that is worth a word. */
  private static final double OFTEN = 0.02;

  private final Share own;
  private final List<Share> calls = new ArrayList<>();
  private final boolean[] waits;

  /** The load at a place in each block, and the one usual by the times of low load, if any was. */
  private static final class Share {
    final String place;
    final double[] load;
    final double[] usual;
    final boolean isUsual;

    Share(String place, double[] load, double[] throughput, boolean[] busy) {
      this.place = place;
      this.load = load;
      double work = 0;
      double loadSum = 0;
      for (int i = 0; i < load.length; i++) {
        work += busy[i] ? 0 : throughput[i];
        loadSum += busy[i] ? 0 : load[i];
      }
      double seconds = work > 0 ? loadSum / work : Double.POSITIVE_INFINITY;
      isUsual = seconds > 0;
      usual = Arrays.stream(throughput).map(each -> each > 0 ? each * seconds : 0).toArray();
    }

    double excess(int block) {
      return load[block] - usual[block];
    }

    /** Whether so much more is there than usual that it takes longer, and not only came at once. */
    boolean isSlow(int block) {
      return isUsual
          && excess(block) >= Math.max(LEAST, (SLOW_CALLS - 1) * usual[block])
          && 1 - Poisson.atMost((int) load[block] - 1, usual[block]) <= CHANCE;
    }
  }

  /**
   * The waits of a server.
   *
   * @param load its mean load in each block
   * @param throughput its throughput, in work units a second
   * @param callsInFlight the mean of the calls in flight to each server that it calls
   */
  public CallWaits(double[] load, double[] throughput, Map<String, double[]> callsInFlight) {
    boolean[] busy = busy(load);
    own = new Share("", load, throughput, busy);
    callsInFlight.forEach(
        (called, inFlight) -> calls.add(new Share(called, inFlight, throughput, busy)));
    waits = new boolean[load.length];
    for (Share each : calls) {
      double all = ALL_IN_FLIGHT * Arrays.stream(each.load).max().orElse(0);
      for (int i = 0; i < waits.length; i++) {
        waits[i] |=
            isClear(i)
                && (callsExcess(i) >= MOST * own.excess(i)
                    || (each.load[i] >= all && each.isSlow(i)));
      }
    }
  }

  /** The blocks that are of idle times, or of busier ones than those of least load. */
  private static boolean[] busy(double[] load) {
    double[] around = new double[load.length];
    boolean[] busy = new boolean[load.length];
    for (int i = 0; i < load.length; i++) {
      int from = i / TOGETHER * TOGETHER;
      int to = Math.min(load.length, from + TOGETHER);
      around[i] = i > from ? around[from] : Arrays.stream(load, from, to).sum() / (to - from);
      busy[i] = around[i] <= 0;
    }
    double low = Order.quantile(around, busy, LOW_LOAD_SHARE);
    for (int i = 0; i < busy.length; i++) {
      busy[i] |= around[i] > low;
    }
    return busy;
  }

  private boolean isClear(int block) {
    return own.excess(block) >= Math.max(LEAST, CLEAR * own.usual[block]);
  }

  private double callsExcess(int block) {
    return calls.stream().mapToDouble(each -> each.excess(block)).sum();
  }

  /** The blocks in which it waits, and the one on either side of each. */
  public boolean[] around() {
    boolean[] around = waits.clone();
    for (int i = 0; i < waits.length; i++) {
      around[i] |= (i > 0 && waits[i - 1]) || (i + 1 < waits.length && waits[i + 1]);
    }
    return around;
  }

  /**
   * The server that this one waits for in some blocks: in half of them, or with clear excess in all
   * of them that is mostly in calls. Null where what is in excess is its own.
   */
  public @Nullable String awaited(int fromBlock, int toBlock) {
    return awaited(CLEAR, i -> i >= fromBlock && i < toBlock);
  }

  /** The same beyond a load, in the blocks that are not {@link #around} others. */
  public @Nullable String awaitedBeyond(double beyondLoad) {
    boolean[] around = around();
    return awaited(0, i -> own.load[i] > beyondLoad && !around[i]);
  }

  /**
   * The server that it waits for most; null where it seldom waits, and where most of its clear
   * excess is there while it does not.
   */
  public @Nullable String awaitedOften() {
    int[] clear = IntStream.range(0, waits.length).filter(this::isClear).toArray();
    int[] waiting = Arrays.stream(clear).filter(i -> waits[i]).toArray();
    double excess = Arrays.stream(clear).mapToDouble(own::excess).sum();
    double waited = Arrays.stream(waiting).mapToDouble(own::excess).sum();
    boolean isMost = waiting.length > OFTEN * waits.length && waited >= MOST * excess;
    return isMost ? awaited(0, i -> waits[i]) : null;
  }

  private @Nullable String awaited(double clear, IntPredicate chosen) {
    int blocks = 0;
    int waiting = 0;
    double excess = 0;
    double usual = 0;
    double[] ofCalls = new double[calls.size()];
    for (int i = 0; i < waits.length; i++) {
      if (chosen.test(i)) {
        blocks++;
        waiting += waits[i] ? 1 : 0;
        excess += own.excess(i);
        usual += own.usual[i];
        for (int target = 0; target < ofCalls.length; target++) {
          ofCalls[target] += calls.get(target).excess(i);
        }
      }
    }
    boolean isClear = excess > clear * usual;
    boolean inCalls = isClear && Arrays.stream(ofCalls).sum() >= MOST * excess;
    if (blocks == 0 || !(inCalls || waiting >= MOST * blocks)) {
      return null;
    }
    int most = 0;
    for (int target = 1; target < ofCalls.length; target++) {
      most = ofCalls[target] > ofCalls[most] ? target : most;
    }
    return ofCalls.length == 0 ? null : calls.get(most).place;
  }
}
