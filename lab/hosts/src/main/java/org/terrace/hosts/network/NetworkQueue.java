package org.terrace.hosts.network;

/**
 * A queue of the kernel in which packets wait that a device is not to send yet, as before a slow
 * link. Immutable.
 *
 * <p>Source: tc-tbf(8).
 *
 * @param bytesPerSecond what the device sends in a second at most
 */
record NetworkQueue(long bytesPerSecond) {
  /** Room for the largest packet, which would be dropped if it never fitted. */
  private static final long LEAST_BURST_BYTES = 80 << 10;

  private static final int BURSTS_PER_SECOND = 50;

  /** Room for several of the largest packets, which are to wait rather than be dropped. */
  private static final long LEAST_QUEUE_BYTES = 512 << 10;

  private static final int QUEUES_PER_SECOND = 4;

  /** The bytes that pass at once after a pause. */
  long burstBytes() {
    return Math.max(LEAST_BURST_BYTES, bytesPerSecond / BURSTS_PER_SECOND);
  }

  /** The command that gives a device this queue, in place of the one that it has. */
  String command(String device) {
    return "tc qdisc replace dev %s root tbf rate %dbps burst %d limit %d"
        .formatted(
            device,
            bytesPerSecond,
            burstBytes(),
            Math.max(LEAST_QUEUE_BYTES, bytesPerSecond / QUEUES_PER_SECOND));
  }
}
