package org.terrace.invocation.client;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.softstate.ServiceRegistry;
import org.terrace.middleware.Endpoint;

/**
 * Finds the replicas of services of soft state by asking the replicas themselves: first those it is
 * given, later all that it has learned of. Watched services are asked for once a period.
 * Thread-safe.
 */
public final class RegistryNaming implements Naming {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The processes that are asked: the contacts, and the replicas found last. */
  private static final class Contacts implements Naming {
    private final List<Endpoint> given;
    private final Map<Integer, Consumer<ServiceReference>> handlers = new ConcurrentHashMap<>();
    private int watches;
    private ServiceReference reference;

    Contacts(List<Endpoint> given) {
      this.given = List.copyOf(given);
      reference = reference(ServiceRegistry.NAME, 1, given);
    }

    synchronized void found(List<Endpoint> replicas) {
      Map<String, Endpoint> all = new LinkedHashMap<>();
      given.forEach(endpoint -> all.put(endpoint.replica(), endpoint));
      replicas.forEach(endpoint -> all.put(endpoint.replica(), endpoint));
      List<Endpoint> endpoints = List.copyOf(all.values());
      if (!endpoints.equals(reference.endpoints())) {
        reference = reference(ServiceRegistry.NAME, reference.version() + 1, endpoints);
        handlers.values().forEach(handler -> handler.accept(reference));
      }
    }

    @Override
    public synchronized Optional<ServiceReference> resolve(String service) {
      return Optional.of(reference);
    }

    @Override
    public synchronized Watch watch(String service, Consumer<ServiceReference> handler) {
      int number = ++watches;
      handlers.put(number, handler);
      return () -> handlers.remove(number);
    }

    @Override
    public void close() {}
  }

  private final Contacts contacts;
  private final ServiceClient client;
  private final ServiceRegistry registry;
  private final long periodNanos;
  private final Map<String, ServiceReference> known = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("registry-naming").factory());

  private RegistryNaming(List<Endpoint> given, Duration period) {
    contacts = new Contacts(given);
    client = ServiceClient.open(ClientOptions.of(contacts).withDeadline(PATIENCE));
    registry = client.stub(ServiceRegistry.class, ServiceRegistry.NAME);
    periodNanos = period.toNanos();
    timer.setRemoveOnCancelPolicy(true);
  }

  /**
   * A naming that asks these replicas first.
   *
   * @param period how often it asks for what is watched
   */
  public static RegistryNaming of(List<Endpoint> contacts, Duration period) {
    return new RegistryNaming(contacts, period);
  }

  private static ServiceReference reference(
      String service, long version, List<Endpoint> endpoints) {
    return new ServiceReference(service, Style.SOFT_STATE, 1, version, endpoints);
  }

  @Override
  public Optional<ServiceReference> resolve(String service) {
    List<Endpoint> found =
        registry.replicas(service).stream()
            .map(ServiceRegistry.Listed::toEndpoint)
            .sorted(Comparator.comparing(Endpoint::replica))
            .toList();
    if (found.isEmpty()) {
      return Optional.ofNullable(known.get(service));
    }
    contacts.found(found);
    return Optional.ofNullable(
        known.compute(service, (name, present) -> newer(name, present, found)));
  }

  private static ServiceReference newer(
      String service, @Nullable ServiceReference present, List<Endpoint> found) {
    if (present == null) {
      return reference(service, 1, found);
    }
    return present.endpoints().equals(found)
        ? present
        : reference(service, present.version() + 1, found);
  }

  @Override
  public Watch watch(String service, Consumer<ServiceReference> handler) {
    ScheduledFuture<?> asking =
        timer.scheduleWithFixedDelay(
            () -> ask(service, handler), periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    return () -> asking.cancel(false);
  }

  private void ask(String service, Consumer<ServiceReference> handler) {
    try {
      resolve(service).ifPresent(handler);
    } catch (InvocationException nobodyAnswers) {
      // What is known stays good; the next round asks again.
    } catch (RuntimeException | Error e) {
      // Thrown on, it would end the rounds for ever.
      System.err.println("the replicas of " + service + " could not be told, and are again: " + e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    client.close();
  }
}
