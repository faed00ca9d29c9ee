package org.terrace.groups.service;

/** Starts and stops replicas of services. Implementations are thread-safe and may block. */
public interface ReplicaLauncher {
  /** Starts another replica of the service, which will join the group and offer itself. */
  void start(String service);

  /** Asks a replica of the service to end; passed over if it was not started here. */
  void stop(String service, String replica);
}
