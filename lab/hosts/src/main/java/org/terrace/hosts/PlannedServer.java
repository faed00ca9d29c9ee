package org.terrace.hosts;

/**
 * A server of a trial before it is known where it runs. Immutable.
 *
 * @param name its name, for example {@code app1}
 * @param tier the label of its tier, for example {@code app}
 * @param address its loopback address in the network of the experiment
 * @param port the port it listens at
 */
public record PlannedServer(String name, String tier, String address, int port) {}
