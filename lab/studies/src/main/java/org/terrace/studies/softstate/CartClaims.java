package org.terrace.studies.softstate;

import static org.terrace.studies.design.Ledger.count;
import static org.terrace.studies.design.Ledger.millis;
import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.MedianTime;

/** The claims about figure 4. */
final class CartClaims {
  private static final int CROWD = 64;
  private static final int FEW = 32;
  private static final double LEVEL = 1.5;
  private static final double SLOPE_LEAST = 0.7;
  private static final double SLOPE_MOST = 1.3;
  private static final double COLLAPSE = 0.9;
  private static final double MAGNITUDE = 10;
  private static final double CONSTANT_MILLIS = 1;

  private final Ledger ledger;
  private final SoftStateResults results;

  CartClaims(Ledger ledger, SoftStateResults results) {
    this.ledger = ledger;
    this.results = results;
  }

  void judge() {
    below();
    scales();
    growsUntil64();
    levelBeyond64();
    magnitude();
    constant();
  }

  private static Stream<Store> baselines() {
    return Stream.of(Store.values()).filter(Store::isDatabase);
  }

  private static double data(CartRun run) {
    return MedianTime.millisOf(run.data().updateNanos());
  }

  private List<CartRun> terrace() {
    return results.over(Store.COLLECTIONS);
  }

  /** Whether the servers of a run left samples of the time with their data. */
  private static boolean hasData(CartRun run) {
    return !Double.isNaN(data(run));
  }

  private List<CartRun> upTo(Store store, int clients) {
    return results.over(store).stream()
        .filter(run -> run.clients() <= clients && hasData(run))
        .toList();
  }

  private List<CartRun> from(Store store, int clients) {
    return results.over(store).stream()
        .filter(run -> run.clients() >= clients && hasData(run))
        .toList();
  }

  private void below() {
    long all = 0;
    long lower = 0;
    long higher = 0;
    List<String> told = new ArrayList<>();
    for (CartRun run : terrace()) {
      List<String> others = new ArrayList<>();
      for (CartRun other : results.cart()) {
        if (other.store().isDatabase() && other.clients() == run.clients()) {
          all++;
          lower += run.calls().isBelow(other.calls()) ? 1 : 0;
          higher += other.calls().isBelow(run.calls()) ? 1 : 0;
          others.add(other.store().word() + " " + millis(other.calls().mean()));
        }
      }
      told.add(
          text(
              "%,d clients: %s (%s)",
              run.clients(), millis(run.calls().mean()), String.join(", ", others)));
    }
    ledger.judge(
        "latency-below-baselines",
        String.join("; ", told),
        lower + higher == 0 ? Verdict.CANNOT_TELL : count(lower, all),
        "Mean latencies. Reproduced if at every number of clients the 95 % interval of the mean over"
            + " Terrace lies below that over each database, partly if at some; if no"
            + " intervals are apart it cannot be told.");
  }

  private void scales() {
    double best = 0;
    long all = 0;
    long kept = 0;
    List<String> told = new ArrayList<>();
    for (CartRun run : terrace()) {
      double rate = run.calls().perSecond();
      if (best > 0) {
        all++;
        kept += rate >= COLLAPSE * best ? 1 : 0;
      }
      best = Math.max(best, rate);
      told.add(text("%,d: %,.0f/s", run.clients(), rate));
    }
    ledger.judge(
        "scales-with-clients",
        String.join(", ", told),
        count(kept, all),
        "Calls a second by number of clients. Reproduced if no larger number of clients gets less than"
            + " 0.9 of the best rate of a smaller one, partly if some do not. Load and replicas share the processors.");
  }

  /** The slope of log time over log clients by least squares. */
  static double slope(List<CartRun> runs) {
    double n = runs.size();
    double sumX = 0;
    double sumY = 0;
    double sumXx = 0;
    double sumXy = 0;
    for (CartRun run : runs) {
      double x = Math.log(run.clients());
      double y = Math.log(Math.max(1e-6, data(run)));
      sumX += x;
      sumY += y;
      sumXx += x * x;
      sumXy += x * y;
    }
    return (n * sumXy - sumX * sumY) / (n * sumXx - sumX * sumX);
  }

  private void growsUntil64() {
    long all = 0;
    long linear = 0;
    List<String> told = new ArrayList<>();
    for (Store store : baselines().toList()) {
      List<CartRun> runs = upTo(store, CROWD);
      if (runs.size() >= 2) {
        double slope = slope(runs);
        all++;
        linear += slope >= SLOPE_LEAST && slope <= SLOPE_MOST ? 1 : 0;
        told.add(
            text(
                "%s: exponent %.2f, from %s to %s",
                store.word(), slope, millis(data(runs.getFirst())), millis(data(runs.getLast()))));
      }
    }
    ledger.judge(
        "data-access-grows-until-64",
        String.join("; ", told),
        count(linear, all),
        "Median time of an update with its data, from 1 to 64 clients. Reproduced if it grows as a"
            + " power of the clients with an exponent from 0.7 to 1.3 over each database.");
  }

  private void levelBeyond64() {
    long all = 0;
    long level = 0;
    List<String> told = new ArrayList<>();
    for (Store store : baselines().toList()) {
      List<CartRun> runs = from(store, CROWD);
      if (runs.size() >= 2) {
        double data = data(runs.getLast()) / data(runs.getFirst());
        double total = runs.getLast().calls().mean() / runs.getFirst().calls().mean();
        all++;
        level += data <= LEVEL && total > LEVEL ? 1 : 0;
        told.add(
            text(
                "%s, %,d to %,d clients: data %.2f times, latency %.2f times",
                store.word(), runs.getFirst().clients(), runs.getLast().clients(), data, total));
      }
    }
    ledger.judge(
        "data-access-level-beyond-64",
        String.join("; ", told),
        count(level, all),
        "Reproduced if from 64 clients to the most the median time with the data grows at most 1.5"
            + " times and the mean latency more. The pool of "
            + LatencyRuns.CONNECTIONS
            + " connections admits that many calls to a database.");
  }

  private void magnitude() {
    long all = 0;
    long tenfold = 0;
    List<String> told = new ArrayList<>();
    for (CartRun run : upTo(Store.COLLECTIONS, FEW)) {
      for (CartRun other : results.cart()) {
        if (other.store().isDatabase() && other.clients() == run.clients() && hasData(other)) {
          double ratio = data(other) / data(run);
          all++;
          tenfold += ratio >= MAGNITUDE ? 1 : 0;
          told.add(text("%s, %,d: %.1f times", other.store().word(), run.clients(), ratio));
        }
      }
    }
    ledger.judge(
        "manipulation-order-of-magnitude",
        String.join("; ", told),
        count(tenfold, all),
        "Median time of an update with its data, database over Terrace. Reproduced if at least 10 at"
            + " every number of clients up to 32.");
  }

  private void constant() {
    long below = 0;
    List<String> told = new ArrayList<>();
    List<CartRun> runs = upTo(Store.COLLECTIONS, Integer.MAX_VALUE);
    for (CartRun run : runs) {
      below += data(run) <= CONSTANT_MILLIS ? 1 : 0;
      told.add(text("%,d: %.3f ms", run.clients(), data(run)));
    }
    ledger.judge(
        "manipulation-constant",
        String.join(", ", told),
        count(below, runs.size()),
        "Median time of an update at a replica, with its identity and index. Reproduced if at most"
            + " 1 ms at every number of clients.");
  }
}
