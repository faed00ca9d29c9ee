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
  /** The packets of a server for which one answer waits at most: its connection's and its own. */
  private static final int PACKETS_OF_ANSWER = 4;

  private final TimeSource time;
  private final Map<String, Faults> faults = new ConcurrentHashMap<>();

  /**
   * The faults of one place. Immutable.
   *
   * @param lasting how many last
   * @param endNanos the elapsed time at which the last one ended
   * @param heldNanos the longest for which any holds a packet back, {@link Long#MAX_VALUE} where it
   *     may never come
   */
  private record Faults(int lasting, long endNanos, long heldNanos) {}

  /** Places of which none is held. */
  public DisturbedPlaces(TimeSource time) {
    this.time = time;
  }

  /** A fault of one port of a server, noted while it lasts. */
  public Hold atPort(Endpoint endpoint, Hold hold) {
    return noted(endpoint.address() + ":" + endpoint.port(), Long.MAX_VALUE, hold);
  }

  /** A fault of all packets of a server, whichever their port, noted while it lasts. */
  public Hold atAddress(Endpoint endpoint, Hold hold) {
    return noted(endpoint.address(), Long.MAX_VALUE, hold);
  }

  /** A delay of all packets of a server, noted while it lasts. */
  public Hold atAddress(Endpoint endpoint, Duration atMost, Hold hold) {
    return noted(endpoint.address(), atMost.toNanos(), hold);
  }

  private Hold noted(String place, long heldNanos, Hold hold) {
    AtomicBoolean lasts = new AtomicBoolean();
    return new Hold() {
      @Override
      public void begin() {
        if (!lasts.getAndSet(true)) {
          change(place, 1, heldNanos);
        }
        hold.begin();
      }

      @Override
      public Map<String, String> end() {
        Map<String, String> facts = hold.end();
        if (lasts.getAndSet(false)) {
          change(place, -1, heldNanos);
        }
        return facts;
      }
    };
  }

  private void change(String place, int by, long heldNanos) {
    faults.merge(
        place,
        new Faults(by, time.elapsedNanos(), heldNanos),
        (before, now) ->
            new Faults(
                before.lasting() + now.lasting(),
                now.endNanos(),
                Math.max(before.lasting() > 0 ? before.heldNanos() : 0, now.heldNanos())));
  }

  /**
   * Whether a fault holds a place, or did, so that it may take an answer from there.
   *
   * @param within the time since the end of the fault in which it counts
   * @param patience how long the answer is waited for; a delay that fits into it takes none
   */
  public boolean isDisturbed(String address, int port, Duration within, Duration patience) {
    return isHeld(address, within, patience) || isHeld(address + ":" + port, within, patience);
  }

  private boolean isHeld(String place, Duration within, Duration patience) {
    Faults known = faults.get(place);
    return known != null
        && known.heldNanos() >= patience.toNanos() / PACKETS_OF_ANSWER
        && (known.lasting() > 0 || time.elapsedNanos() - known.endNanos() <= within.toNanos());
  }
}
