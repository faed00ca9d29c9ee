package org.terrace.groups.service;

import java.util.Set;

/** Starts and stops replicas of services. Implementations are thread-safe and may block. */
public interface ReplicaLauncher {
  /** Starts another replica of the service, which will join the group and offer itself. */
  void start(String service);

  /**
   * The names of the replicas of the service that were started here and have not ended; at once.
   */
  Set<String> running(String service);

  /** Asks a replica of the service to end; passed over if it was not started here. */
  void stop(String service, String replica);
}
