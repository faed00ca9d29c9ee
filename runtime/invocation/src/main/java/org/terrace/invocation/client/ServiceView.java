package org.terrace.invocation.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.invocation.FailOverOptions;
import org.terrace.invocation.client.CallEvent.Candidates;
import org.terrace.middleware.Endpoint;

/**
 * A client's knowledge of one service: its newest reference, and which of its replicas are well.
 * Thread-safe.
 */
final class ServiceView {
  private final String service;
  private final Naming naming;
  private final FailOverOptions failOver;
  private final ReplicaLinks links;
  private final LatencyEstimate latencies = new LatencyEstimate();
  private final AtomicInteger turn = new AtomicInteger();
  private final Set<Consumer<ServiceView>> listeners = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ServiceReference reference;
  private volatile Naming.@Nullable Watch watch;

  ServiceView(String service, Naming naming, FailOverOptions failOver, ReplicaLinks links) {
    this.service = service;
    this.naming = naming;
    this.failOver = failOver;
    this.links = links;
  }

  /** Begins to watch for new references, if notices are prompt. */
  void start() {
    if (failOver.promptNotice()) {
      watch = naming.watch(service, this::adopt);
    }
  }

  String service() {
    return service;
  }

  LatencyEstimate latencies() {
    return latencies;
  }

  @Nullable ServiceReference reference() {
    return reference;
  }

  /** Asks the naming service. */
  String resolve() {
    Optional<ServiceReference> answer = naming.resolve(service);
    answer.ifPresent(this::adopt);
    return answer
        .map(found -> found.endpoints().isEmpty() ? "no replica" : found.endpoints().getFirst())
        .map(found -> found instanceof Endpoint endpoint ? endpoint.replica() : found.toString())
        .orElse("unknown name");
  }

  private void adopt(ServiceReference found) {
    synchronized (this) {
      ServiceReference known = reference;
      if (known != null && found.version() < known.version()) {
        return;
      }
      reference = found;
      if (known != null && known.version() == found.version()) {
        return;
      }
    }
    listeners.forEach(listener -> listener.accept(this));
  }

  void addListener(Consumer<ServiceView> listener) {
    listeners.add(listener);
  }

  void removeListener(Consumer<ServiceView> listener) {
    listeners.remove(listener);
  }

  /**
   * The replicas in the order to try them: well before suspect, else the primary first. With warm
   * connections a read that could go to a connected replica does not wait for the connection to a
   * new one, which is opened in the background; an update goes to the primary, whoever it is.
   */
  Candidates candidates(boolean update) {
    ServiceReference known = reference;
    if (known == null) {
      return Candidates.NONE;
    }
    List<Endpoint> endpoints = known.endpoints();
    if (!failOver.otherReplicas()) {
      return Candidates.of(known, endpoints);
    }
    int size = endpoints.size();
    boolean balanced = failOver.loadBalancing() && !update && known.style() != Style.NONE;
    int first = balanced && size > 1 ? Math.floorMod(turn.getAndIncrement(), size) : 0;
    List<Endpoint> order = new ArrayList<>(size);
    List<Endpoint> suspects = new ArrayList<>(0);
    for (int i = 0; i < size; i++) {
      Endpoint endpoint = endpoints.get((first + i) % size);
      ReplicaLink link = links.get(endpoint);
      boolean connects = failOver.warmConnections() && !update;
      boolean away = connects ? !link.isOpen() : link.isGone();
      (away || link.isSuspect() ? suspects : order).add(endpoint);
    }
    order.addAll(suspects);
    return Candidates.of(known, order);
  }

  void close() {
    Naming.Watch running = watch;
    if (running != null) {
      running.close();
    }
  }
}
