package org.terrace.cluster.jdbc.recovery;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;

/** The replicas that are out, why each is, and those who want to be told of it. Thread-safe. */
public final class LostReplicas {
  private static final System.Logger LOG = System.getLogger(LostReplicas.class.getName());

  private final ClusterConfiguration cluster;
  private final List<ReplicaServer> replicas;
  private final Map<Integer, String> reasons = new ConcurrentHashMap<>();
  private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicReference<String> logFailure = new AtomicReference<>("");

  /**
   * Losses that nobody was told of.
   *
   * @param cluster whose they are
   * @param replicas all there are, by number
   * @param out why each of those is out that did not take part from the beginning
   */
  public LostReplicas(
      ClusterConfiguration cluster, List<ReplicaServer> replicas, Map<Integer, String> out) {
    this.cluster = cluster;
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
    if (!logFailure.get().isEmpty()) {
      listener.logFailed(logFailure.get());
    }
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

  /** A replica was taken out, and so many are left. */
  public void lost(int replica, String reason, int left) {
    reasons.put(replica, reason);
    LOG.log(
        Level.WARNING,
        "Replica {0} of {1} is taken out: {2}. {3} are left.",
        replicas.get(replica).name(),
        cluster,
        reason,
        left);
    tell(listener -> listener.lost(replicas.get(replica).name(), reason));
  }

  /** The log takes nothing any more; listeners are told it once at least. */
  public void logFailed(String reason) {
    if (logFailure.compareAndSet("", reason)) {
      LOG.log(Level.ERROR, "The recovery log of {0} takes nothing more: {1}", cluster, reason);
      tell(listener -> listener.logFailed(reason));
    }
  }

  /** A replica takes part again. */
  public void returned(int replica) {
    reasons.remove(replica);
    LOG.log(Level.INFO, "Replica {0} of {1} is back.", replicas.get(replica).name(), cluster);
    tell(listener -> listener.returned(replicas.get(replica).name()));
  }

  /** Tells all listeners something, also those behind one that fails. */
  private void tell(Consumer<ReplicaListener> word) {
    for (ReplicaListener listener : listeners) {
      try {
        word.accept(listener);
      } catch (RuntimeException | Error e) {
        LOG.log(Level.WARNING, "A listener to the replicas of " + cluster + " failed", e);
      }
    }
  }
}
