package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;
import static org.terrace.analysis.Stations.request;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.Seeds;
import org.terrace.testing.Trials;

/**
 * A server with a processor quota as the kernel keeps it: it runs until the quota of a period is
 * used up, then it is held until the next period. Its capacity is known.
 */
class QuotaTest {
  private static final int RUN_SECONDS = 60;
  private static final long TICK = MILLIS / 10;
  private static final long PERIOD = 100 * MILLIS;
  private static final int CORES = 2;
  private static final double QUOTA_CORES = 0.4;
  private static final double MEAN_WORK = 2.0 * MILLIS;

  /** A job takes whole steps, half of one more than its work on average. */
  private static final double CAPACITY = QUOTA_CORES * SECONDS / (MEAN_WORK + TICK / 2.0);

  @Test
  void namesTheKneeOfAServerThatItsQuotaHoldsBack() {
    long seed = Seeds.next("QuotaTest.names");
    // In 4 of 400 runs too few windows were congested, and the knee was not told: in at most 2.6 %
    // (95 %).
    Trials.failAtMost(0.026, 60, trial -> namesTheKnee(seed + trial));
  }

  private static void namesTheKnee(long seed) {
    Quota quota = new Quota(seed);

    CongestionPointOf told = analyse(quota, quota.events);
    CongestionPointOf untold = analyse(quota, List.of());

    System.out.printf("with events %s%nwithout %s%n", told, untold);
    assertThat(told.capacity).isNotNull();
    assertThat(told.capacity).isCloseTo(CAPACITY, within(0.15 * CAPACITY));
    assertThat(told.millis % 100).isZero();
  }

  private record CongestionPointOf(Double load, Double capacity, Integer millis, String reason) {}

  private static CongestionPointOf analyse(Quota quota, List<Event> events) {
    Observation observation =
        Stations.observation(
            List.of(new Server("app1", "app", List.of())),
            quota.table,
            events,
            START,
            START + RUN_SECONDS * SECONDS);
    var point =
        Analysis.analyze(observation, AnalysisOptions.defaults())
            .findings()
            .servers()
            .getFirst()
            .congestionPoint();
    return new CongestionPointOf(
        point.load(), point.capacityPerSecond(), point.windowMillis(), point.reason());
  }

  /** The requests and the throttling of such a server, simulated in steps. */
  private static final class Quota {
    private final RequestTable table;
    private final List<Event> events = new ArrayList<>();

    private record Job(long arrival, double[] left) {}

    Quota(long seed) {
      RandomGenerator random = Seeds.generator(seed);
      RequestTable.Builder builder = new RequestTable.Builder();
      Deque<Job> ready = new ArrayDeque<>();
      double budget = 0;
      double rate = 0;
      long heldSince = -1;
      for (long at = 0; at < RUN_SECONDS * SECONDS; at += TICK) {
        if (at % PERIOD == 0) {
          budget = QUOTA_CORES * PERIOD;
          if (heldSince >= 0) {
            events.add(
                new Event(
                    "app1", EventKinds.CPU_THROTTLED, START + heldSince, START + at, Map.of()));
            heldSince = -1;
          }
        }
        if (at % (500 * MILLIS) == 0) {
          rate = CAPACITY * random.nextDouble(0.1, 1.5);
        }
        if (random.nextDouble() < rate * TICK / SECONDS) {
          double work = -MEAN_WORK * Math.log(1 - random.nextDouble());
          ready.add(new Job(at, new double[] {work}));
        }
        for (int core = Math.min(CORES, ready.size()); core > 0 && budget > 0; core--) {
          Job job = ready.remove();
          job.left[0] -= TICK;
          budget -= TICK;
          if (job.left[0] <= 0) {
            builder.accept(
                request("app1", "page", START + job.arrival, START + at + TICK, Outcome.OK));
          } else {
            ready.add(job);
          }
        }
        if (budget <= 0 && !ready.isEmpty() && heldSince < 0) {
          heldSince = at;
        }
      }
      table = builder.build();
    }
  }
}
