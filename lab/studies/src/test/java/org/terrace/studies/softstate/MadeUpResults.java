package org.terrace.studies.softstate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.terrace.studies.softstate.PetRun.Spread;

/** Results that nobody measured: a run that agrees with every claim, and ways to change it. */
final class MadeUpResults {
  static final Spread K1 = new Spread(1, true, false);
  static final Spread K2 = new Spread(2, true, false);

  private static final int ATTACK_FROM = 4;
  private static final int ATTACK_TO = 12;
  private static final int BINS = 50;
  private static final int PET_STORE = 3;
  private static final List<Integer> CLIENTS = List.of(1, 64, 256);
  private static final long MICRO = 1_000;

  private MadeUpResults() {}

  static SoftStateResults agreeing() {
    return new SoftStateResults(parameters(), cart(), crash(2, 2, 0), staleness(), pages());
  }

  private static SoftStateParameters parameters() {
    Duration second = Duration.ofSeconds(1);
    return new SoftStateParameters(
        CLIENTS,
        List.of(Store.values()),
        second,
        second,
        2,
        Duration.ofSeconds(ATTACK_FROM),
        Duration.ofSeconds(ATTACK_TO - ATTACK_FROM),
        Duration.ofSeconds(BINS),
        32,
        List.of(1, PET_STORE),
        PET_STORE,
        second,
        List.of(1, 7),
        List.of(1, 2));
  }

  /** Latencies of 100 calls with a standard error of a hundredth of the mean. */
  static Latency latency(double mean) {
    return latency(mean, mean / 100, 100);
  }

  static Latency latency(double mean, double standardError, int count) {
    return new Latency(count, count, mean, standardError, mean, mean, mean, mean, mean, mean);
  }

  private static Latency latencyAt(double mean, double perSecond) {
    return new Latency(100, perSecond, mean, mean / 100, mean, mean, mean, mean, mean, mean);
  }

  static DataTimes data(long... updateMicros) {
    long[] nanos = LongStream.of(updateMicros).map(micros -> micros * MICRO).toArray();
    return new DataTimes(
        nanos.length == 0
            ? List.of()
            : List.of(new DataTimes.Slot(0, 0, nanos.length, new long[0], nanos)));
  }

  static CartRun cart(Store store, int clients, Latency calls, DataTimes data) {
    return new CartRun(store, clients, calls, calls, calls, 0, 0, 0, 0, 1, data);
  }

  private static List<CartRun> cart() {
    List<CartRun> runs = new ArrayList<>();
    for (Store store : Store.values()) {
      for (int clients : CLIENTS) {
        runs.add(
            store.isDatabase()
                ? cart(
                    store,
                    clients,
                    latencyAt(10.0 * clients, 100),
                    data(1_000L * Math.min(64, clients)))
                : cart(store, clients, latencyAt(1, 100.0 * clients), data(50)));
      }
    }
    return runs;
  }

  static CrashRun.Result crash(int kills, int expelled, long failed) {
    long[] nanos = new long[expelled];
    Arrays.fill(nanos, 1_500_000_000L);
    return new CrashRun.Result(kills, nanos, latency(1), failed, 0, 0);
  }

  private static final long DROPPED = 77;

  private static StalenessRun.Result staleness() {
    long[] stale = new long[BINS];
    Arrays.fill(stale, ATTACK_FROM, ATTACK_TO + 3, 5);
    return new StalenessRun.Result(
        1,
        ATTACK_FROM,
        ATTACK_TO,
        reads(filled(100), stale, filled(0)),
        reads(filled(100), filled(0), filled(0)),
        DROPPED,
        StalenessRun.REPLICAS,
        0,
        0,
        new GossipRecording(StalenessRun.REPLICAS, 1_000, 2_500, 3),
        1);
  }

  static StalenessRun.Reads reads(long[] reads, long[] stale, long[] failed) {
    return new StalenessRun.Reads(latency(1), reads, stale, failed);
  }

  static long[] filled(long value) {
    long[] bins = new long[BINS];
    Arrays.fill(bins, value);
    return bins;
  }

  /** The value in the bins from one second to another, zero elsewhere. */
  static long[] between(int from, int to, long value) {
    long[] bins = new long[BINS];
    Arrays.fill(bins, from, to, value);
    return bins;
  }

  static PetRun pet(
      int figure, String service, int replicas, Spread spread, int services, Latency pages) {
    return new PetRun(
        figure, service, replicas, spread, services, pages, pages, 0, new long[0], Map.of());
  }

  private static List<PetRun> pages() {
    List<PetRun> runs = new ArrayList<>();
    for (int replicas : List.of(1, PET_STORE)) {
      double mean = replicas == 1 ? 60 : 10;
      for (String service : PetRuns.SERVICES) {
        double error = service.equals("cpu-small") ? mean / 100 : mean / 20;
        runs.add(pet(6, service, replicas, K2, 1, latency(mean, error, 100)));
      }
      runs.add(pet(7, "all", replicas, K2, 7, latency(replicas == 1 ? 50 : 20)));
    }
    for (int services : List.of(1, 7)) {
      runs.add(pet(8, "all", PET_STORE, PetRuns.BASELINE, services, latency(20)));
      runs.add(pet(8, "all", PET_STORE, K1, services, latency(services == 1 ? 15 : 16)));
      runs.add(pet(8, "all", PET_STORE, K2, services, latency(10)));
    }
    return runs;
  }

  static SoftStateResults withCart(UnaryOperator<CartRun> change) {
    SoftStateResults from = agreeing();
    List<CartRun> cart = from.cart().stream().map(change).toList();
    return new SoftStateResults(
        from.parameters(), cart, from.crash(), from.staleness(), from.pages());
  }

  static SoftStateResults withoutCart() {
    SoftStateResults from = agreeing();
    return new SoftStateResults(
        from.parameters(), List.of(), from.crash(), from.staleness(), from.pages());
  }

  static SoftStateResults withCrash(CrashRun.Result crash) {
    SoftStateResults from = agreeing();
    return new SoftStateResults(
        from.parameters(), from.cart(), crash, from.staleness(), from.pages());
  }

  static SoftStateResults withStaleness(UnaryOperator<StalenessRun.Result> change) {
    SoftStateResults from = agreeing();
    return new SoftStateResults(
        from.parameters(), from.cart(), from.crash(), change.apply(from.staleness()), from.pages());
  }

  static SoftStateResults withVictims(StalenessRun.Reads victims) {
    return withStaleness(from ->
        new StalenessRun.Result(
            from.binSeconds(),
            from.attackFrom(),
            from.attackTo(),
            victims,
            from.adaptive(),
            from.dropped(),
            from.alive(),
            from.missing(),
            from.tooMany(),
            from.gossip(),
            from.secondsToAgree()));
  }

  static SoftStateResults withAdaptive(StalenessRun.Reads adaptive) {
    return withStaleness(from ->
        new StalenessRun.Result(
            from.binSeconds(),
            from.attackFrom(),
            from.attackTo(),
            from.victims(),
            adaptive,
            from.dropped(),
            from.alive(),
            from.missing(),
            from.tooMany(),
            from.gossip(),
            from.secondsToAgree()));
  }

  static SoftStateResults withoutDrops() {
    return withStaleness(from ->
        new StalenessRun.Result(
            from.binSeconds(),
            from.attackFrom(),
            from.attackTo(),
            from.victims(),
            from.adaptive(),
            0,
            from.alive(),
            from.missing(),
            from.tooMany(),
            from.gossip(),
            from.secondsToAgree()));
  }

  static SoftStateResults withEnd(
      int alive, long missing, long tooMany, GossipRecording gossip, double secondsToAgree) {
    return withStaleness(from ->
        new StalenessRun.Result(
            from.binSeconds(),
            from.attackFrom(),
            from.attackTo(),
            from.victims(),
            from.adaptive(),
            from.dropped(),
            alive,
            missing,
            tooMany,
            gossip,
            secondsToAgree));
  }

  static SoftStateResults withPages(UnaryOperator<PetRun> change) {
    SoftStateResults from = agreeing();
    List<PetRun> pages = from.pages().stream().map(change).toList();
    return new SoftStateResults(
        from.parameters(), from.cart(), from.crash(), from.staleness(), pages);
  }

  static SoftStateResults withoutPages() {
    SoftStateResults from = agreeing();
    return new SoftStateResults(
        from.parameters(), from.cart(), from.crash(), from.staleness(), List.of());
  }
}
