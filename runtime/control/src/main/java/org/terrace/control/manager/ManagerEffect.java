package org.terrace.control.manager;

import org.terrace.control.ServiceReference;
import org.terrace.control.naming.Registration;

/** An effect that a replication manager asks for. */
sealed interface ManagerEffect {
  /** Ask the naming service to replace a version, 0 for none, by this value. */
  record Change(Registration wanted, long replaced) implements ManagerEffect {}

  /** Ask the naming service for what is under a name. */
  record Read(String name) implements ManagerEffect {}

  /** Tell all naming processes again what was chosen, as they may have missed it. */
  record Announce(Registration chosen) implements ManagerEffect {}

  /** Start a replica. */
  record Launch(String service, String replica) implements ManagerEffect {}

  /** End a replica's process at once. */
  record Kill(String replica, long pid) implements ManagerEffect {}

  /** End the connection to a replica: one that is alive all the same registers again. */
  record Disconnect(String replica) implements ManagerEffect {}

  /** Tell a connected replica of the reference it is part of, or a spare of. */
  record Tell(String replica, ServiceReference reference) implements ManagerEffect {}

  /** Tell a connected replica to finish its calls and take no more. */
  record AskDrain(String replica) implements ManagerEffect {}

  /** Write a line to the log. */
  record Journal(String line) implements ManagerEffect {}
}
