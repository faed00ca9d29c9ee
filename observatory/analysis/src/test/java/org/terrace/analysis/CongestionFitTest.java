package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.analysis.congestion.CongestionFit;
import org.terrace.analysis.statistics.RadixSort;
import org.terrace.testing.Seeds;
import org.terrace.testing.StationSimulator;
import org.terrace.testing.StationSimulator.Settings;

class CongestionFitTest {
  /** The sampling error of one run in several hundred goes beyond 0.15, hence the room. */
  private static final double MOST_ERROR = 0.2;

  private static final int WINDOW_MILLIS = 20;
  private static final int SECONDS = 60;

  @Test
  void estimatesTheNumberOfServersOfAStationWithinTwentyPercent() {
    long seed = Seeds.next("CongestionFitTest.estimates");
    double squares = 0;
    int runs = 0;
    int covered = 0;
    for (int servers : new int[] {8, 20}) {
      for (double utilisation : new double[] {0.6, 0.72}) {
        for (int repeat = 0; repeat < 4; repeat++) {
          CongestionFit fit = fit(servers, utilisation, seed + runs);
          assertThat(fit.identifiable()).as("%d servers at %.2f", servers, utilisation).isTrue();
          double error = fit.knee() / servers - 1;
          assertThat(Math.abs(error))
              .as("N* of %d servers at %.2f is %.2f", servers, utilisation, fit.knee())
              .isLessThan(MOST_ERROR);
          squares += error * error;
          covered += fit.low() * 0.95 <= servers && servers <= fit.high() * 1.05 ? 1 : 0;
          runs++;
        }
      }
    }
    System.out.printf(
        "relative RMSE of N* %.3f over %d runs; interval within 5 %% of the truth in %d%n",
        Math.sqrt(squares / runs), runs, covered);
    assertThat(Math.sqrt(squares / runs)).isLessThan(0.08);
    assertThat(covered).isGreaterThanOrEqualTo(runs * 3 / 4);
  }

  @Test
  void refusesToNameACongestionPointThatLoadNeverReached() {
    long seed = Seeds.next("CongestionFitTest.refuses");
    for (int servers : new int[] {8, 20}) {
      for (double utilisation : new double[] {0.1, 0.2, 0.35}) {
        for (int repeat = 0; repeat < 2; repeat++) {
          CongestionFit fit = fit(servers, utilisation, seed + repeat);
          assertThat(fit.identifiable()).as("%d servers at %.2f", servers, utilisation).isFalse();
          assertThat(fit.reason()).isNotBlank();
          assertThat(fit.low()).isNaN();
        }
      }
    }
  }

  @Test
  void saysHowManyWindowsAreMissing() {
    CongestionFit fit =
        CongestionFit.of(50, new double[] {1}, new double[] {2}, new boolean[] {false}, 400, 1);

    assertThat(fit.identifiable()).isFalse();
    assertThat(fit.reason()).isEqualTo("only 1 windows; 240 are needed");
  }

  @Test
  void doesNotSayThatThroughputGrowsWhereItFalls() {
    int windows = 2_000;
    double[] load = new double[windows];
    double[] throughput = new double[windows];
    for (int i = 0; i < windows; i++) {
      load[i] = 50 + i % 400;
      throughput[i] = 450 - load[i] / 4 + i % 7;
    }

    CongestionFit fit = CongestionFit.of(50, load, throughput, new boolean[windows], 400, 1);

    assertThat(fit.identifiable()).isFalse();
    assertThat(fit.reason()).startsWith("throughput does not grow with load");
  }

  @Test
  void namesDemandBeforeTheLowKneeThatItMakes() {
    int windows = 4_000;
    double[] load = new double[windows];
    double[] throughput = new double[windows];
    for (int i = 0; i < windows; i++) {
      // Load varies with the length of requests alone, from 0.2 to 1.6, at the same demand.
      load[i] = 0.2 + i % 141 / 100.0;
      throughput[i] = 300 * Math.min(1, load[i] / 0.4) + i % 5;
    }

    CongestionFit fit = CongestionFit.of(50, load, throughput, new boolean[windows], 400, 1);

    assertThat(fit.identifiable()).isFalse();
    assertThat(fit.reason()).contains("may be the demand");
  }

  @Test
  void leavesStalledWindowsOut() {
    Settings settings = Stations.bursty(8, 0.65, SECONDS);
    ServerRequests requests = requests(settings, Seeds.next("CongestionFitTest.leavesStalled"));
    Cells cells = Cells.of(requests, stretch(settings));
    double[] load = cells.load(WINDOW_MILLIS);
    double[] throughput = cells.throughput(WINDOW_MILLIS);
    boolean[] excluded = new boolean[load.length];
    CongestionFit clean = CongestionFit.of(WINDOW_MILLIS, load, throughput, excluded, 400, 1);
    for (int i = 0; i < load.length; i += 3) {
      excluded[i] = true;
    }
    CongestionFit before = CongestionFit.of(WINDOW_MILLIS, load, throughput, excluded, 400, 1);
    for (int i = 0; i < load.length; i += 3) {
      load[i] = 500;
      throughput[i] = 0;
    }
    CongestionFit after = CongestionFit.of(WINDOW_MILLIS, load, throughput, excluded, 400, 1);

    assertThat(clean.identifiable()).isTrue();
    assertThat(after.knee()).isEqualTo(before.knee());
    assertThat(after.low()).isEqualTo(before.low());
  }

  private static CongestionFit fit(int servers, double utilisation, long seed) {
    Settings settings = Stations.bursty(servers, utilisation, SECONDS);
    ServerRequests requests = requests(settings, seed);
    Cells cells = Cells.of(requests, stretch(settings));
    Residences residences = Residences.of(requests, stretch(settings), new RadixSort());
    WorkUnits units = WorkUnits.of(requests, cells, new boolean[cells.count]);
    return CongestionFit.of(
        WINDOW_MILLIS,
        cells.load(WINDOW_MILLIS),
        cells.perSecond(cells.work(requests, units.robust(residences)), WINDOW_MILLIS),
        new boolean[cells.windows(WINDOW_MILLIS)],
        400,
        seed);
  }

  private static ServerRequests requests(Settings settings, long seed) {
    return ServerRequests.split(
        Stations.observation(settings, new StationSimulator(settings).run(seed)).requests())[0];
  }

  private static Stretch stretch(Settings settings) {
    return new Stretch(
        settings.startNanos(), settings.startNanos() + settings.durationNanos(), "whole");
  }
}
