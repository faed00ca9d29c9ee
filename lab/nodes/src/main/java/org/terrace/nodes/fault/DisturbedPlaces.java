package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Endpoints.Endpoint;

/**
 * The places of servers that planned faults of the network hold, now or until a moment ago: who
 * asks there may get no answer, which is the fault's doing and not the asker's. Thread-safe.
 */
public final class DisturbedPlaces {
  private final TimeSource time;
  private final Map<String, Faults> faults = new ConcurrentHashMap<>();

  /**
   * The faults of one place. Immutable.
   *
   * @param lasting how many last
   * @param endNanos the elapsed time at which the last one ended
   */
  private record Faults(int lasting, long endNanos) {}

  /** Places of which none is held. */
  public DisturbedPlaces(TimeSource time) {
    this.time = time;
  }

  /** A fault of one port of a server, noted while it lasts. */
  public Hold atPort(Endpoint endpoint, Hold hold) {
    return noted(endpoint.address() + ":" + endpoint.port(), hold);
  }

  /** A fault of all packets of a server, whichever their port, noted while it lasts. */
  public Hold atAddress(Endpoint endpoint, Hold hold) {
    return noted(endpoint.address(), hold);
  }

  private Hold noted(String place, Hold hold) {
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
    faults.merge(
        place,
        new Faults(by, time.elapsedNanos()),
        (before, now) -> new Faults(before.lasting() + now.lasting(), now.endNanos()));
  }

  /**
   * Whether a fault holds a place, or did.
   *
   * @param within the time since the end of the fault in which it counts
   */
  public boolean isDisturbed(String address, int port, Duration within) {
    return isHeld(address, within) || isHeld(address + ":" + port, within);
  }

  private boolean isHeld(String place, Duration within) {
    Faults known = faults.get(place);
    return known != null
        && (known.lasting() > 0 || time.elapsedNanos() - known.endNanos() <= within.toNanos());
  }
}
