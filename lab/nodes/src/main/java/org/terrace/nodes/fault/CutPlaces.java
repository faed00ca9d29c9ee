package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Endpoints.Endpoint;

/**
 * The places of servers that planned faults cut off, now or until a moment ago: who asks there gets
 * no answer, which is the fault's doing and not the asker's. Thread-safe.
 */
public final class CutPlaces {
  private final TimeSource time;
  private final Map<String, Cuts> cuts = new ConcurrentHashMap<>();

  /**
   * The cuts of one place. Immutable.
   *
   * @param lasting how many last
   * @param endNanos the elapsed time at which the last one ended
   */
  private record Cuts(int lasting, long endNanos) {}

  /** Places of which none is cut off. */
  public CutPlaces(TimeSource time) {
    this.time = time;
  }

  /** A fault that lets nobody in at a place, noted while it lasts. */
  public Hold noted(Endpoint endpoint, Hold hold) {
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
  public boolean isCut(String place, Duration within) {
    Cuts known = cuts.get(place);
    return known != null
        && (known.lasting() > 0 || time.elapsedNanos() - known.endNanos() <= within.toNanos());
  }
}
