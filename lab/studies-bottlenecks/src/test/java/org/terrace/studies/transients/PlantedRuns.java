package org.terrace.studies.transients;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.terrace.studies.transients.WatchingCost.Way;

/**
 * Results that nobody measured: runs whose every window is planted so that they agree with every
 * claim, and ways to change one of them.
 */
final class PlantedRuns {
  static final double POINT = 10;
  static final int SECONDS = 60;
  static final int FINE = SECONDS * 100;
  static final int PAPER = SECONDS * 20;
  private static final int PAGES = 20_000;

  /** The uneven spread of work within each window of 50 ms. */
  private static final double[] WITHIN = {2, 2, 0.5, 0.25, 0.25};

  private PlantedRuns() {}

  /** The windows of 50 ms of a server, of which each has its load and work. */
  interface Shape {
    double at(int window);
  }

  static Windows windows(Shape load, Shape work) {
    return windows(load, work, WITHIN);
  }

  /** Windows within which work is spread evenly. */
  static Windows evenWindows(Shape load, Shape work) {
    return windows(load, work, new double[] {1, 1, 1, 1, 1});
  }

  private static Windows windows(Shape load, Shape work, double[] within) {
    double[] loads = new double[FINE];
    double[] works = new double[FINE];
    for (int i = 0; i < FINE; i++) {
      loads[i] = load.at(i / 5);
      works[i] = work.at(i / 5) / 5 * within[i % 5];
    }
    return new Windows(10, loads, works);
  }

  static double[] paper(Shape shape) {
    double[] values = new double[PAPER];
    Arrays.setAll(values, shape::at);
    return values;
  }

  /** A window in which the collector stands still: two in twenty. */
  static boolean isPaused(int window) {
    return window % 20 < 2;
  }

  /** A burst: 4 windows of 40. */
  static boolean isBurst(int window) {
    return window % 40 >= 8 && window % 40 < 12;
  }

  /** The clock: slow until the middle of each burst, at three speeds in turn. */
  static double clock(int window) {
    int cycle = window / 40 % 3;
    return window % 40 >= 20 ? 1 : cycle == 0 ? 0.529 : cycle == 1 ? 0.706 : 1;
  }

  private static double jitter(int window, double part) {
    return 1 + part * (new SplittableRandom(window).nextDouble() - 0.5);
  }

  static TransientRun collector(TransientSetting setting, boolean pauses) {
    return new TransientRun(
        setting,
        100,
        SECONDS,
        windows(
            w -> pauses && isPaused(w) ? 30 : 5 * jitter(w, 0.2),
            w -> pauses && isPaused(w) ? 0 : 20 * jitter(w, 0.2)),
        null,
        null,
        latencies(20, 200),
        paper(w -> (pauses && isPaused(w) ? 200 : 20) * jitter(w, 0.2)),
        paper(w -> pauses && isPaused(w) ? 0.9 : 0.01 * jitter(w, 0.2)),
        paper(w -> 1),
        used(0.5),
        0,
        pauses ? 40 : 0,
        pauses ? 40 : 0,
        "app1",
        false,
        List.of());
  }

  static TransientRun governor(
      TransientSetting setting, boolean slow, double millis, double perSecond) {
    return new TransientRun(
        setting,
        200,
        PAGES / perSecond,
        windows(
            w -> slow && isBurst(w) && clock(w) < 1 ? 25 : isBurst(w) && slow ? 12 : load(w),
            w -> slow && isBurst(w) ? 100 * clock(w) * jitter(w, 0.05) : fine(w)),
        POINT,
        POINT,
        latencies(1, 500),
        paper(w -> millis * jitter(w, 0.2)),
        paper(w -> 0),
        paper(w -> slow ? clock(w) : 1),
        used(0.75),
        0,
        0,
        0,
        "database1",
        slow,
        List.of());
  }

  /** Half of the windows below N*, half of them near to it. */
  private static double load(int window) {
    return window % 2 == 0 ? 3 : 7 + jitter(window, 1);
  }

  private static double fine(int window) {
    return 60 * jitter(window, 0.3);
  }

  /** Pages of which one in 500 is many times slower than the others. */
  static long[] latencies(double millis, double tailMillis) {
    long[] nanos = new long[PAGES];
    for (int i = 0; i < PAGES; i++) {
      nanos[i] = Math.round((i % 500 == 0 ? tailMillis : millis) * 1e6);
    }
    return nanos;
  }

  static List<TransientRun.Used> used(double share) {
    double[] seconds = new double[SECONDS];
    Arrays.fill(seconds, share);
    return List.of(
        new TransientRun.Used("app1", seconds), new TransientRun.Used("database1", seconds));
  }

  private static List<TransientRun> runs() {
    return List.of(
        collector(TransientSetting.COLLECTOR_LOW, false),
        collector(TransientSetting.COLLECTOR_HIGH, true),
        collector(TransientSetting.COLLECTOR_CURED, false),
        governor(TransientSetting.GOVERNOR_LOW, true, 10, 100),
        governor(TransientSetting.GOVERNOR_MIDDLE, true, 40, 200),
        governor(TransientSetting.GOVERNOR_HIGH, true, 80, 300),
        governor(TransientSetting.FASTEST_MIDDLE, false, 10, 200),
        governor(TransientSetting.FASTEST_HIGH, false, 12, 300));
  }

  static TransientParameters parameters() {
    Duration second = Duration.ofSeconds(1);
    return new TransientParameters(
        List.of(TransientSetting.values()),
        second,
        Duration.ofSeconds(SECONDS),
        List.of(100, 250),
        List.of(100, 200, 300),
        1_000,
        256,
        List.of("serial", "zgc"),
        300,
        second,
        second,
        second,
        3,
        second,
        4);
  }

  /** The cost of each way of watching, in cores: of the process, and of the machine. */
  static WatchingCost watching(Map<Way, Double> own, Map<Way, Double> machine) {
    List<double[]> ofProcess = new ArrayList<>();
    List<double[]> ofMachine = new ArrayList<>();
    for (Way way : Way.values()) {
      ofProcess.add(slots(0.01 + own.getOrDefault(way, 0.0)));
      ofMachine.add(slots(1 + machine.getOrDefault(way, 0.0)));
    }
    return new WatchingCost(ofProcess, ofMachine, "", 1_000, 0);
  }

  private static double[] slots(double cores) {
    return new double[] {cores, cores + 0.001, cores - 0.001, cores};
  }

  static final Map<Way, Double> OWN =
      Map.of(Way.PASSIVE, 0.02, Way.SECOND, 0.01, Way.TENTH, 0.07, Way.FIFTIETH, 0.15);

  static TransientResults agreeing() {
    return new TransientResults(parameters(), runs(), watching(OWN, Map.of()));
  }

  static TransientResults with(TransientSetting setting, UnaryOperator<TransientRun> change) {
    return new TransientResults(
        parameters(),
        runs().stream().map(run -> run.setting() == setting ? change.apply(run) : run).toList(),
        watching(OWN, Map.of()));
  }

  static TransientResults without(TransientSetting... settings) {
    return new TransientResults(
        parameters(),
        runs().stream().filter(run -> !List.of(settings).contains(run.setting())).toList(),
        watching(OWN, Map.of()));
  }

  static TransientResults with(WatchingCost cost) {
    return new TransientResults(parameters(), runs(), cost);
  }

  /** A run with some of its components changed, by their names. */
  static TransientRun change(TransientRun run, Map<String, Object> changed) {
    try {
      var components = TransientRun.class.getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        String name = components[i].getName();
        values[i] =
            changed.containsKey(name) ? changed.get(name) : components[i].getAccessor().invoke(run);
      }
      return TransientRun.class.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, "%s", changed), e);
    }
  }
}
