package org.terrace.control.manager;

import java.time.Duration;
import java.util.List;
import org.terrace.control.DetectorOptions;
import org.terrace.middleware.Endpoint;

/**
 * The settings of one replication manager.
 *
 * @param group the name under which the managers of the group are registered
 * @param self its name, where it listens, and as its key where it answers people
 * @param incarnation tells this start of the manager from every other of the group, also when the
 *     naming service has forgotten all terms; part of the names of the replicas it launches
 * @param rank its place among the managers, 0 first: who takes over first when the leader is lost
 * @param services the services it cares for, the same at every manager
 * @param detector when replicas and other managers are declared failed
 * @param tick how often time is looked at
 * @param claimStagger how much longer each rank waits before it claims the leadership
 * @param settle how long a manager that has just started waits for the others to connect
 * @param heedsEnds whether the end of a replica's connection or process declares failed it at once;
 *     if not, only missed heartbeats do
 */
record ManagerOptions(
    String group,
    Endpoint self,
    String incarnation,
    int rank,
    List<ServiceOptions> services,
    DetectorOptions detector,
    Duration tick,
    Duration claimStagger,
    Duration settle,
    boolean heedsEnds) {

  ManagerOptions {
    services = List.copyOf(services);
  }

  /** The name of the group of managers that care for a service. */
  static String group(String service) {
    return "terrace.managers/" + service;
  }

  static ManagerOptions of(
      Endpoint self, String incarnation, int rank, List<ServiceOptions> services) {
    return new ManagerOptions(
        group(services.getFirst().service()),
        self,
        incarnation,
        rank,
        services,
        DetectorOptions.defaults(),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(300),
        true);
  }

  ManagerOptions withHeartbeatsAlone() {
    return new ManagerOptions(
        group, self, incarnation, rank, services, detector, tick, claimStagger, settle, false);
  }
}
