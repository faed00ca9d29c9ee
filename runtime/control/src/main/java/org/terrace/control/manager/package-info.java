/**
 * The replication manager: creates the replicas of services, registers them with the naming
 * service, chooses the primary, replaces those that crash or hang, and is itself replicated.
 *
 * <p>{@code ManagerCore} decides and is pure; {@code ManagerServer} gives it time, network, naming
 * service and launcher. {@code ReplicaAgent} is the manager's counterpart in the process of a
 * replica. Reading order: {@code ManagerEvent}, {@code ManagerEffect}, {@code ManagerCore}, {@code
 * ServiceKeeper}.
 */
package org.terrace.control.manager;
