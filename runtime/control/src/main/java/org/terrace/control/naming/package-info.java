/**
 * The naming service: names to references, kept by several processes, each on its disk.
 *
 * <p>Every name is a register of its own, changed by a majority of the naming processes (Rystsov,
 * "CASPaxos: Replicated state machines without logs", 2018): {@code Acceptor} is what a naming
 * process keeps, {@code Proposal} is one change of one name by a replication manager. A change says
 * which version it replaces, so of two concurrent ones only one is chosen. What has been chosen is
 * learned by all naming processes, and only that is ever shown to clients.
 */
package org.terrace.control.naming;
