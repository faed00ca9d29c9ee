package org.terrace.cluster.server.connection;

/**
 * A session of a server.
 *
 * @param number its number at the server, which another may have had before, or may get
 * @param mark text that tells it from others of that number
 */
public record ServerSession(long number, String mark) {}
