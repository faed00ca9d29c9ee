package org.terrace.benchmarks.stitch;

import java.util.Locale;
import org.terrace.testing.tiers.GapDistribution;
import org.terrace.testing.tiers.TrafficShape;
import org.terrace.testing.tiers.TrafficShape.Pool;

/** The kinds of traffic that are stitched; none of them is drawn from what a stitcher assumes. */
enum TrafficKind {
  /** Work of two kinds, and nothing to be learned from connections. */
  BIMODAL {
    @Override
    TrafficShape shape(int clients) {
      return TrafficShape.of(clients, Pool.EACH_CALL);
    }
  },
  /** Lognormal work; a request keeps its connection. */
  LOGNORMAL {
    @Override
    TrafficShape shape(int clients) {
      return TrafficShape.of(clients, Pool.EACH_REQUEST).withGaps(GapDistribution.LOGNORMAL);
    }
  },
  /**
   * Work with a heavy tail; a third of the answers from memory, a fifth of three parallel calls.
   */
  HEAVY_TAIL {
    @Override
    TrafficShape shape(int clients) {
      return TrafficShape.of(clients, Pool.EACH_CALL)
          .withGaps(GapDistribution.HEAVY_TAIL)
          .withCalls(0.2, 0.3, 0);
    }
  },
  /** A tenth hand a call over; one request of 1,000 is lost, one call of 1,000 has no cause. */
  HANDED_OVER {
    @Override
    TrafficShape shape(int clients) {
      return TrafficShape.of(clients, Pool.EACH_REQUEST)
          .withGaps(GapDistribution.LOGNORMAL)
          .withCalls(0, 0, 0.1)
          .withLoss(0.001, 0.001);
    }
  };

  /** Leaves somewhat fewer requests at a server than were measured at a real one. */
  private static final double THINK_MICROS = 1_000;

  abstract TrafficShape shape(int clients);

  TrafficShape of(int clients, int requests) {
    return shape(clients)
        .withKinds()
        .withThinking(THINK_MICROS)
        .withRequests(requests)
        .withIdentifiers(1, 0)
        .withValues();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
