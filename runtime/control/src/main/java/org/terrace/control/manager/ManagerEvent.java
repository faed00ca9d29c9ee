package org.terrace.control.manager;

import org.terrace.control.naming.Registration;
import org.terrace.middleware.Endpoint;

/** An event that a replication manager handles. */
sealed interface ManagerEvent {
  /** Time has passed. */
  record Tick() implements ManagerEvent {}

  /** The naming service has this value under a name, by its own notice or as an answer. */
  record Stored(Registration value, boolean isAnswer) implements ManagerEvent {}

  /**
   * The naming service has nothing under a name that was asked for.
   *
   * @param firstVersion the number that a series of versions may begin with now
   */
  record Absent(String name, long firstVersion) implements ManagerEvent {}

  /** The naming service did not answer in time; a change of the name may or may not happen yet. */
  record Unanswered(String name) implements ManagerEvent {}

  /** Another manager has connected. */
  record PeerUp(String manager) implements ManagerEvent {}

  /** Another manager is alive, and the latest term it knows is this one. */
  record PeerBeat(String manager, long term) implements ManagerEvent {}

  /** The connection of another manager has ended. */
  record PeerLost(String manager) implements ManagerEvent {}

  /** A replica that was launched waits for what it needs before it can register. */
  record ReplicaStarting(String replica) implements ManagerEvent {}

  /** A replica has connected and registers itself. */
  record ReplicaUp(String service, Endpoint endpoint, long pid) implements ManagerEvent {}

  /** A replica is alive, and has been told or shown this epoch of its service, 0 for none. */
  record ReplicaBeat(String replica, long epochSeen) implements ManagerEvent {}

  /** The connection of a replica has ended. */
  record ReplicaLost(String replica) implements ManagerEvent {}

  /** A replica has finished its calls and takes no more. */
  record ReplicaDrained(String replica) implements ManagerEvent {}

  /** The process of a replica that this manager launched has ended, or could not be started. */
  record ProcessEnded(String service, String replica) implements ManagerEvent {}

  /** Somebody wants a replica taken out of service without a failed call. */
  record WantDrained(String service, String replica) implements ManagerEvent {}

  /** Somebody wants a replica killed, as if it had crashed. */
  record WantKilled(String service, String replica) implements ManagerEvent {}

  /** Somebody wants one replica more. */
  record WantMore(String service) implements ManagerEvent {}
}
