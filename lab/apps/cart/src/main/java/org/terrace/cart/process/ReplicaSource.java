package org.terrace.cart.process;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.control.Naming;
import org.terrace.control.naming.Addresses;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.client.RegistryNaming;
import org.terrace.middleware.Endpoint;

/**
 * The replicas that a front end begins with: all are given to it by name, or some by address, which
 * list the others. Immutable.
 *
 * @param replicas all replicas by name; empty if they are found by the registry
 * @param contacts some replicas, by where they take calls; empty if all are given
 */
public record ReplicaSource(
    Map<String, InetSocketAddress> replicas, List<InetSocketAddress> contacts) {
  /** The usage of the flags that {@link #of} reads. */
  public static final String USAGE = "--replicas NAME=ADDRESS:PORT,... | --join ADDRESS:PORT,...";

  /** The explanation of those flags. */
  public static final String EXPLANATION =
      """
      --replicas gives all replicas; --join some, by where they take calls, which know who else
      serves, also later.\
      """;

  private static final Duration PERIOD = Duration.ofMillis(200);

  /** Copies them, and checks that one of the two is there. */
  public ReplicaSource {
    replicas = new LinkedHashMap<>(replicas);
    contacts = List.copyOf(contacts);
    if (replicas.isEmpty() == contacts.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--replicas and --join: expected one of them and not both, the replicas or some of them");
    }
  }

  /** Reads it: {@code --replicas} or {@code --join}. */
  public static ReplicaSource of(Flags flags) {
    return new ReplicaSource(
        flags.optional("--replicas").map(SoftStateProcess::replicas).orElse(Map.of()),
        Addresses.parse("--join", flags.text("--join", "")));
  }

  /** The naming of the services; to be closed. */
  public Naming naming(Collection<String> services) {
    if (contacts.isEmpty()) {
      return SoftStateProcess.naming(services, replicas);
    }
    List<Endpoint> endpoints = new ArrayList<>();
    contacts.forEach(contact ->
        endpoints.add(
            new Endpoint(
                Addresses.format(contact),
                "terrace",
                contact.getHostString(),
                contact.getPort(),
                "")));
    return RegistryNaming.of(endpoints, PERIOD);
  }

  /** The replicas of a service that the naming knows of now; none if nobody tells. */
  public static Map<String, InetSocketAddress> found(Naming naming, String service) {
    Map<String, InetSocketAddress> found = new LinkedHashMap<>();
    try {
      naming.resolve(service).stream()
          .flatMap(reference -> reference.endpoints().stream())
          .forEach(endpoint ->
              found.put(
                  endpoint.replica(), new InetSocketAddress(endpoint.host(), endpoint.port())));
    } catch (InvocationException nobodyAnswers) {
      return Map.of();
    }
    return found;
  }
}
