package org.terrace.hosts;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.fault.Hold;

/**
 * The places of servers that planned faults cut off, now or until a moment ago: who asks there gets
 * no answer, which is the fault's doing and not the asker's. Thread-safe.
 */
final class CutPlaces {
  private final TimeSource time;
  private final Map<String, Cuts> cuts = new ConcurrentHashMap<>();

  /**
   * The cuts of one place. Immutable.
   *
   * @param lasting how many last
   * @param endNanos the elapsed time at which the last one ended
   */
  private record Cuts(int lasting, long endNanos) {}

  CutPlaces(TimeSource time) {
    this.time = time;
  }

  /** A fault as its plan says it, which is noted while it lasts if it lets nobody in. */
  Hold noted(HoldPlan plan, Hold hold) {
    return switch (plan) {
      case HoldPlan.Cut cut -> noted(cut.endpoint(), hold);
      case HoldPlan.Openings openings -> noted(openings.endpoint(), hold);
      case HoldPlan.Loss _, HoldPlan.Bandwidth _, HoldPlan.Delay _ -> hold;
      case HoldPlan.Storage _, HoldPlan.Processor _, HoldPlan.Memory _ -> hold;
    };
  }

  private Hold noted(Endpoint endpoint, Hold hold) {
    String place = endpoint.address() + ":" + endpoint.port();
    AtomicBoolean lasts = new AtomicBoolean();
    return new Hold() {
      @Override
      public void begin() {
        if (!lasts.getAndSet(true)) {
          change(place, 1);
        }
        hold.begin();
      }

      @Override
      public Map<String, String> end() {
        Map<String, String> facts = hold.end();
        if (lasts.getAndSet(false)) {
          change(place, -1);
        }
        return facts;
      }
    };
  }

  private void change(String place, int by) {
    cuts.merge(
        place,
        new Cuts(by, time.elapsedNanos()),
        (before, now) -> new Cuts(before.lasting() + now.lasting(), now.endNanos()));
  }

  /**
   * Whether a place is cut off, or was.
   *
   * @param place {@code address:port}
   * @param within the time since the end of the cut in which it counts
   */
  boolean isCut(String place, Duration within) {
    Cuts known = cuts.get(place);
    return known != null
        && (known.lasting() > 0 || time.elapsedNanos() - known.endNanos() <= within.toNanos());
  }
}
