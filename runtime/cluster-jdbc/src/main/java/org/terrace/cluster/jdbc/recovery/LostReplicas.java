package org.terrace.cluster.jdbc.recovery;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.cluster.jdbc.replica.ReplicaServer;

/** The replicas that are out, why each is, and those who want to be told of it. Thread-safe. */
public final class LostReplicas {
  private final List<ReplicaServer> replicas;
  private final Map<Integer, String> reasons = new ConcurrentHashMap<>();
  private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * Losses that nobody was told of.
   *
   * @param replicas all there are, by number
   * @param out why each of those is out that did not take part from the beginning
   */
  public LostReplicas(List<ReplicaServer> replicas, Map<Integer, String> out) {
    this.replicas = replicas;
    reasons.putAll(out);
  }

  /** The reason why each replica that is out is so, by its name. */
  public Map<String, String> named() {
    Map<String, String> named = new TreeMap<>();
    reasons.forEach((replica, reason) -> named.put(replicas.get(replica).name(), reason));
    return named;
  }

  /** Tells a listener of those that are out, and of more from now on. */
  public void listen(ReplicaListener listener) {
    named().forEach(listener::lost);
    listeners.add(listener);
  }

  /** Tells a listener nothing more. */
  public void forget(ReplicaListener listener) {
    listeners.remove(listener);
  }

  /** A replica that is out is so for another reason than was known. */
  public void because(int replica, String reason) {
    reasons.put(replica, reason);
  }

  /** A replica is none any more. */
  public void forget(int replica) {
    reasons.remove(replica);
  }

  /** A replica was taken out. */
  public void lost(int replica, String reason) {
    reasons.put(replica, reason);
    listeners.forEach(listener -> listener.lost(replicas.get(replica).name(), reason));
  }

  /** A replica takes part again. */
  public void returned(int replica) {
    reasons.remove(replica);
    listeners.forEach(listener -> listener.returned(replicas.get(replica).name()));
  }
}
