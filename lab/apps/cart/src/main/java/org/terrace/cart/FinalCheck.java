package org.terrace.cart;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.core.TimeSource;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/**
 * The check of every replica's contents after the load: every item at least as often as was
 * acknowledged, and at most as often as was asked for. Replicas have a while to come to agree.
 * Immutable.
 *
 * @param replicas how many replicas could be asked
 * @param unreachable names of those that could not be
 * @param gone names of those that need not be there
 * @param missing acknowledged updates that are missing, over all replicas
 * @param tooMany updates that are there without having been asked for, over all replicas
 * @param seconds how long it took until all was well, or until the end of patience
 */
record FinalCheck(
    int replicas,
    List<String> unreachable,
    List<String> gone,
    long missing,
    long tooMany,
    double seconds) {
  private static final long PATIENCE_NANOS = 15_000_000_000L;
  private static final long PAUSE_NANOS = 200_000_000L;

  static FinalCheck of(
      LoadOptions options,
      Map<String, InetSocketAddress> replicas,
      AtomicIntegerArray least,
      AtomicIntegerArray most) {
    TimeSource time = TimeSource.system();
    long startNanos = time.elapsedNanos();
    List<ServiceClient> clients = new ArrayList<>();
    try {
      Map<String, ShoppingCart> carts = new TreeMap<>();
      replicas.forEach((name, address) -> {
        ServiceClient client = open(name, address);
        clients.add(client);
        carts.put(name, client.stub(ShoppingCart.class, CartServer.SERVICE));
      });
      while (true) {
        FinalCheck check = look(options, carts, least, most, time.elapsedNanos() - startNanos);
        if (check.isGood() || time.elapsedNanos() - startNanos > PATIENCE_NANOS) {
          return check;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } finally {
      clients.forEach(ServiceClient::close);
    }
  }

  private static ServiceClient open(String name, InetSocketAddress address) {
    return ServiceClient.open(
        ClientOptions.of(
                SoftStateProcess.naming(List.of(CartServer.SERVICE), Map.of(name, address)))
            .withDeadline(Duration.ofSeconds(1)));
  }

  private static FinalCheck look(
      LoadOptions options,
      Map<String, ShoppingCart> carts,
      AtomicIntegerArray least,
      AtomicIntegerArray most,
      long nanos) {
    int replicas = 0;
    long missing = 0;
    long tooMany = 0;
    List<String> unreachable = new ArrayList<>();
    for (Map.Entry<String, ShoppingCart> named : carts.entrySet()) {
      ShoppingCart cart = named.getValue();
      long missingHere = 0;
      long tooManyHere = 0;
      try {
        for (int item = 0; item < least.length(); item++) {
          if (most.get(item) > 0) {
            int count = cart.check(options.item(item));
            missingHere += Math.max(0, least.get(item) - count);
            tooManyHere += Math.max(0, count - most.get(item));
          }
        }
      } catch (InvocationException e) {
        unreachable.add(named.getKey());
        continue;
      }
      replicas++;
      missing += missingHere;
      tooMany += tooManyHere;
    }
    return new FinalCheck(
        replicas, List.copyOf(unreachable), options.gone(), missing, tooMany, nanos / 1e9);
  }

  /** Whether all replicas were asked but those that need not be there, and nothing was wrong. */
  boolean isGood() {
    return replicas > 0 && gone.containsAll(unreachable) && missing == 0 && tooMany == 0;
  }

  /** The fields of a JSON object, without its braces. */
  String toJson() {
    return """
    "replicasChecked": %d,
    "replicasUnreachable": [%s],
    "acknowledgedUpdatesMissing": %d,
    "updatesTooMany": %d,
    "secondsToAgree": %.1f\
    """
        .formatted(
            replicas,
            unreachable.stream().map("\"%s\""::formatted).collect(Collectors.joining(", ")),
            missing,
            tooMany,
            seconds);
  }
}
