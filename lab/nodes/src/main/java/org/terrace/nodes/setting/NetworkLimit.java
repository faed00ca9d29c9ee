package org.terrace.nodes.setting;

/**
 * A limit of what comes to a server by its network in a second, and of what goes. Immutable.
 *
 * @param address the server's address
 * @param towards the address of the users, to which the proof of the limit sends
 * @param bytesPerSecond the limit of either direction
 */
public record NetworkLimit(String address, String towards, long bytesPerSecond) {}
