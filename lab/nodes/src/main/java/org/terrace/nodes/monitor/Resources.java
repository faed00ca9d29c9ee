package org.terrace.nodes.monitor;

/** The names under which readings of resources are recorded; each says its unit. */
public final class Resources {
  /** CPU time used, as a share (0..1) of the cores that the node may use. */
  public static final String CPU_UTILISATION = "cpu-utilisation";

  /** CPU time that the hypervisor gave to others, as a share (0..1) of the machine's cores. */
  public static final String CPU_STEAL = "cpu-steal";

  /** CPU time in which processes waited for storage, as a share (0..1) of the machine's cores. */
  public static final String CPU_WAIT = "cpu-iowait";

  /**
   * The time in which some process had to wait for a processor, as a share (0..1) of the interval;
   * absent where the kernel does not tell.
   */
  public static final String CPU_PRESSURE = "cpu-pressure";

  /** The time in which some process had to wait for storage, likewise. */
  public static final String STORAGE_PRESSURE = "storage-pressure";

  /** The time in which some process had to wait for memory, likewise. */
  public static final String MEMORY_PRESSURE = "memory-pressure";

  /** The beginning of names of pools, such as {@code pool-threads}: the share (0..1) in use. */
  public static final String POOL = "pool-";

  /**
   * Connections that a server has not accepted yet, as a share (0..1) of as many as may wait; 1
   * where some were turned away since the reading before.
   */
  public static final String ACCEPT_QUEUE = "accept-queue-share";

  /**
   * Attempts to open a connection, each of which may be of one that tries again, that a server's
   * accept queue turned away.
   */
  public static final String ACCEPT_QUEUE_DROPS = "accept-queue-drops-per-second";

  /** Memory that is resident; what processes of one node share is counted once. */
  public static final String MEMORY_BYTES = "memory-bytes";

  /**
   * Memory of a server's control group that the kernel cannot take back, which is all but pages of
   * files, as a share (0..1) of its limit; absent where the server has no limit.
   */
  public static final String MEMORY_UTILISATION = "memory-utilisation";

  /** Pages of files that a server's control group has; absent where it has no limit of memory. */
  public static final String CACHE_BYTES = "cache-bytes";

  /**
   * Bytes that a server's storage gave, or took, whichever was more, as a share (0..1) of its limit
   * of either; absent where the server has none.
   */
  public static final String DISK_UTILISATION = "disk-utilisation";

  /**
   * Bytes that came to a server by its network, or that it sent, whichever were more, as a share (0
   * upwards) of its limit of either; absent where it has none.
   */
  public static final String NETWORK_UTILISATION = "network-utilisation";

  /** Bytes read from storage. */
  public static final String DISK_READ = "disk-read-bytes-per-second";

  /** Bytes written to storage. */
  public static final String DISK_WRITE = "disk-write-bytes-per-second";

  /** The processors of the machine that shares of its processor time are of: a count. */
  public static final String PROCESSORS = "processors";

  /** The node that stands for the whole machine. */
  public static final String MACHINE = "machine";

  private Resources() {}
}
