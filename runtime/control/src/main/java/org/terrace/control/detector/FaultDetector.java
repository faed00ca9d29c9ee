package org.terrace.control.detector;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.control.DetectorOptions;

/**
 * A detector of faults that watches replicas by their connections and heartbeats: an ended
 * connection is a crash, at once; a silent one is suspected early and declared failed late.
 *
 * <p>It knows when it stood still itself: time in which its own tick was late is taken off every
 * silence, as heartbeats wait in buffers then. So a machine too busy to run the detector does not
 * make it declare failed (Dadgar, Phillips, Currey, "Lifeguard", 2017, has the same thought). A
 * pure state machine: time is passed in. Confined to one thread; a tick costs time linear in the
 * replicas.
 */
public final class FaultDetector {
  private static final int WATCHED_MAX = 10_000;

  /** A replica of which the detector now thinks otherwise. */
  public record Change(String name, Verdict verdict, double phi, long silenceNanos) {}

  private static final class Watched {
    final PhiAccrual accrual;
    Verdict verdict = Verdict.ALIVE;

    Watched(PhiAccrual accrual) {
      this.accrual = accrual;
    }
  }

  private final DetectorOptions options;
  private final long tickNanos;
  private final Map<String, Watched> watched = new TreeMap<>();
  private long lastTickNanos;
  private long suspicions;

  /** A detector that watches nobody, whose {@link #tick} is meant to be called that often. */
  public FaultDetector(DetectorOptions options, long tickNanos, long nowNanos) {
    this.options = options;
    this.tickNanos = tickNanos;
    this.lastTickNanos = nowNanos;
  }

  /** Begins to watch a replica that has connected. */
  public void connected(String name, long nowNanos) {
    if (watched.size() < WATCHED_MAX) {
      long period = options.heartbeatPeriod().toNanos();
      watched.put(name, new Watched(new PhiAccrual(options.window(), period, nowNanos)));
    }
  }

  /** Takes note of a heartbeat; one of a replica not watched is passed over. */
  public void heartbeat(String name, long nowNanos) {
    Watched replica = watched.get(name);
    if (replica != null) {
      replica.accrual.heartbeat(nowNanos);
    }
  }

  /** Takes note of the end of a connection; whether the replica was watched until now. */
  public boolean disconnected(String name) {
    return watched.remove(name) != null;
  }

  /** The opinion of a replica; {@link Verdict#CRASHED} if it is not watched. */
  public Verdict verdict(String name) {
    Watched replica = watched.get(name);
    return replica == null ? Verdict.CRASHED : replica.verdict;
  }

  /** The number of those watched that have not been declared failed. */
  public int live() {
    return (int) watched.values().stream().filter(one -> one.verdict != Verdict.HUNG).count();
  }

  /** The number of times that a live replica came to be suspected. */
  public long suspicions() {
    return suspicions;
  }

  /** Judges every silence, and tells of each verdict that is another than before. */
  public List<Change> tick(long nowNanos) {
    long lateNanos = nowNanos - lastTickNanos - 2 * tickNanos;
    lastTickNanos = nowNanos;
    List<Change> changes = new ArrayList<>();
    for (var entry : watched.entrySet()) {
      Watched replica = entry.getValue();
      if (lateNanos > 0) {
        replica.accrual.excuse(Math.min(lateNanos, replica.accrual.silenceNanos(nowNanos)));
      }
      double phi = replica.accrual.phi(nowNanos);
      long silenceNanos = replica.accrual.silenceNanos(nowNanos);
      Verdict verdict = judge(phi, silenceNanos);
      if (verdict != replica.verdict) {
        replica.verdict = verdict;
        suspicions += verdict == Verdict.SUSPECTED ? 1 : 0;
        changes.add(new Change(entry.getKey(), verdict, phi, silenceNanos));
      }
    }
    return changes;
  }

  private Verdict judge(double phi, long silenceNanos) {
    if (phi >= options.failedPhi() && silenceNanos >= options.failedSilence().toNanos()) {
      return Verdict.HUNG;
    }
    return phi >= options.suspectPhi() ? Verdict.SUSPECTED : Verdict.ALIVE;
  }
}
