package org.terrace.protocols;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.terrace.observation.Server;

/**
 * The settings of reading a capture. The defaults keep the heap below 200 MB on a capture of any
 * size. Immutable.
 *
 * @param servers servers whose names and tiers are known; an address is {@code host:port}, or
 *     {@code host} for all ports of it
 * @param connectionsMax TCP connections remembered at once, 1 to 1,000,000
 * @param streamBufferBytesMax bytes held for one direction of a connection until a gap before them
 *     is filled
 * @param bufferBytesMax such bytes of all connections together
 * @param idleTimeout the silence after which a connection is forgotten
 * @param reorderPackets packets held to mend their order in time, 1 to 65,536
 * @param classesMax request classes told apart, at least 1; further ones are {@code other}
 * @param keyLogs key logs of TLS, in the format of the files that {@code SSLKEYLOGFILE} names;
 *     those within captures are read without being named
 */
public record ReadOptions(
    List<Server> servers,
    int connectionsMax,
    long streamBufferBytesMax,
    long bufferBytesMax,
    Duration idleTimeout,
    int reorderPackets,
    int classesMax,
    List<Path> keyLogs) {
  /** Copies the lists and checks the ranges. */
  public ReadOptions {
    servers = List.copyOf(servers);
    keyLogs = List.copyOf(keyLogs);
    check(connectionsMax >= 1 && connectionsMax <= 1_000_000, "connectionsMax", connectionsMax);
    check(streamBufferBytesMax >= 0, "streamBufferBytesMax", streamBufferBytesMax);
    check(bufferBytesMax >= 0, "bufferBytesMax", bufferBytesMax);
    check(!idleTimeout.isNegative(), "idleTimeout", idleTimeout);
    check(reorderPackets >= 1 && reorderPackets <= 65_536, "reorderPackets", reorderPackets);
    check(classesMax >= 1, "classesMax", classesMax);
  }

  private static void check(boolean holds, String name, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is out of range: " + value);
    }
  }

  /** The defaults: nothing known of the servers, and no keys. */
  public static ReadOptions defaults() {
    return new ReadOptions(
        List.of(), 65_536, 1 << 20, 32 << 20, Duration.ofHours(1), 512, 4096, List.of());
  }

  /** The same with servers whose names and tiers are known. */
  public ReadOptions withServers(List<Server> known) {
    return new ReadOptions(
        known,
        connectionsMax,
        streamBufferBytesMax,
        bufferBytesMax,
        idleTimeout,
        reorderPackets,
        classesMax,
        keyLogs);
  }

  /** The same with key logs of TLS, with which connections are decrypted. */
  public ReadOptions withKeyLogs(List<Path> files) {
    return new ReadOptions(
        servers,
        connectionsMax,
        streamBufferBytesMax,
        bufferBytesMax,
        idleTimeout,
        reorderPackets,
        classesMax,
        files);
  }
}
