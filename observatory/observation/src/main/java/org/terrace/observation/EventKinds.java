package org.terrace.observation;

/** The kinds of events that Terrace itself records. */
public final class EventKinds {
  /** A pause of all threads of a JVM for garbage collection. */
  public static final String GC_PAUSE = "gc-pause";

  /** A pause of all threads of a JVM for another reason than collection. */
  public static final String SAFEPOINT = "safepoint";

  /** A server killed by the experiment: from the signal to its reaped process. */
  public static final String FAULT_KILL = "fault-kill";

  /** A server stopped by the experiment: from SIGSTOP to SIGCONT. */
  public static final String FAULT_PAUSE = "fault-pause";

  /** Garbage made on purpose inside a server: from the first allocation to the last. */
  public static final String FAULT_GC_PRESSURE = "fault-gc-pressure";

  /** Every processor of a server kept busy on purpose: from the first step of work to the last. */
  public static final String FAULT_CPU = "fault-cpu";

  /** One lock that all pages of a server had to pass, on purpose. */
  public static final String FAULT_LOCK_CONVOY = "fault-lock-convoy";

  /** Rows of a database held by a transaction on purpose: from the lock to its release. */
  public static final String FAULT_ROW_LOCK = "fault-row-lock";

  /** A checkpoint asked of a database on purpose, from the asking until it was done. */
  public static final String FAULT_CHECKPOINT = "fault-checkpoint";

  /** Pages of a database made dirty on purpose, for a checkpoint to write. */
  public static final String FAULT_DIRTY_PAGES = "fault-dirty-pages";

  /** Connections to a server that were asked for in vain, on purpose. */
  public static final String FAULT_SYN_DROP = "fault-syn-drop";

  /** All packets of a server dropped, on purpose. */
  public static final String FAULT_CUT = "fault-cut";

  /** A part of a server's packets dropped by chance, on purpose. */
  public static final String FAULT_LOSS = "fault-loss";

  /** Packets above a rate to or from a server dropped, on purpose. */
  public static final String FAULT_BANDWIDTH = "fault-bandwidth";

  /** Memory taken beside a server, within its limit, on purpose. */
  public static final String FAULT_MEMORY = "fault-memory";

  /** Packets of a server that arrived later, on purpose. */
  public static final String FAULT_DELAY = "fault-delay";

  /** Storage of a server that took less than it can, on purpose. */
  public static final String FAULT_SLOW_DISK = "fault-slow-disk";

  /** Users who were in a hurry together, on purpose. */
  public static final String FAULT_BURST = "fault-burst";

  /** Users who were in a hurry together, as their load is bursty. */
  public static final String BURST = "burst";

  /** CPU time withheld from a server by its limit. */
  public static final String CPU_THROTTLED = "cpu-throttled";

  /**
   * The attribute of {@link #CPU_THROTTLED} that holds the period of the limit in microseconds;
   * that of the kernel, 100,000, where it is absent.
   */
  public static final String PERIOD_MICROS = "periodMicros";

  /**
   * A stretch in which data sent to a server's host were not acknowledged and nothing came from it:
   * the host or the network stood still, not the application alone.
   */
  public static final String HOST_SILENT = "host-silent";

  /** A stretch in which the capture lost packets of a server: nothing can be said of it. */
  public static final String CAPTURE_LOSS = "capture-loss";

  /**
   * A stretch in which the capture itself says that it dropped packets, on the node {@link
   * #CAPTURE}; its attribute {@code packets} says how many.
   */
  public static final String CAPTURE_DROPS = "capture-drops";

  /** The node of events of the capture itself. */
  public static final String CAPTURE = "capture";

  /** Data were sent again soon: from what was sent before to that. */
  public static final String TCP_RETRANSMISSION = "tcp-retransmission";

  /** Data were sent again after they had not been acknowledged for long: likewise. */
  public static final String TCP_TIMEOUT = "tcp-timeout";

  /** One side of a connection could take no more data: from its saying so to its taking more. */
  public static final String TCP_ZERO_WINDOW = "tcp-zero-window";

  /** A connection was broken off: an instant. */
  public static final String TCP_RESET = "tcp-reset";

  /** A connection was refused: from the asking to the refusal. */
  public static final String TCP_REFUSED = "tcp-refused";

  /** A connection was asked for again, since nobody answered: from the asking before. */
  public static final String TCP_REPEATED_SYN = "tcp-repeated-syn";

  /**
   * A connection was granted again: from the granting before. The queue of those that wait to be
   * accepted may have been full.
   */
  public static final String TCP_REPEATED_SYN_ACK = "tcp-repeated-syn-ack";

  /** A thread of a JVM that waited for another to leave a monitor. */
  public static final String MONITOR_WAIT = "monitor-wait";

  /** A virtual thread that blocked without giving its carrier free. */
  public static final String THREAD_PINNED = "thread-pinned";

  /** A method compiled by a JVM, which takes processor time. */
  public static final String COMPILATION = "compilation";

  /** A thread that waited until a concurrent collector had given memory free. */
  public static final String ALLOCATION_STALL = "allocation-stall";

  /** A file flushed to its device while a thread waited. */
  public static final String FILE_SYNC = "file-sync";

  /** A thread that waited for bytes from a socket: it tells who waited, and explains nothing. */
  public static final String SOCKET_READ = "socket-read";

  /** A thread that waited for a socket to take bytes: likewise. */
  public static final String SOCKET_WRITE = "socket-write";

  /** A database writing its dirty pages, from the checkpoint's start to its end. */
  public static final String CHECKPOINT = "checkpoint";

  /** The end of a checkpoint, in which files are flushed to their device. */
  public static final String CHECKPOINT_SYNC = "checkpoint-sync";

  /** A statement that waited for a lock another transaction held. */
  public static final String LOCK_WAIT = "lock-wait";

  /** Transactions that waited for each other, of which one was ended: an instant. */
  public static final String DEADLOCK = "deadlock";

  /** A table vacuumed or analysed by a database of its own accord. */
  public static final String AUTOVACUUM = "autovacuum";

  /** A statement that took long: it tells who waited, and explains nothing. */
  public static final String SLOW_STATEMENT = "slow-statement";

  /** A connection that a database refused because it had too many: an instant. */
  public static final String CONNECTION_LIMIT = "connection-limit";

  /** A database that went down and came back: from its last word to its being ready. */
  public static final String DATABASE_DOWN = "database-down";

  /** Processor time that the hypervisor gave to others. */
  public static final String CPU_STEAL = "cpu-steal";

  /** Threads that were ready and waited for a processor. */
  public static final String RUN_DELAY = "run-delay";

  /** A wait of threads of a host for a processor, by the kernel's pressure stall information. */
  public static final String CPU_PRESSURE = "cpu-pressure";

  /** Threads of a host waited for memory: likewise. */
  public static final String MEMORY_PRESSURE = "memory-pressure";

  /** Threads of a host waited for storage: likewise. */
  public static final String IO_PRESSURE = "io-pressure";

  /** Threads had to give pages free before they got one, or pages went to or from swap. */
  public static final String MEMORY_RECLAIM = "memory-reclaim";

  /** Much was being written back from memory to storage. */
  public static final String WRITEBACK = "writeback";

  /** Connections that were lost because a queue of those to be accepted was full. */
  public static final String LISTEN_OVERFLOW = "listen-overflow";

  /** Processors that ran slower than they had run. */
  public static final String FREQUENCY_LOW = "frequency-low";

  /** The stretch in which a host was watched; its attributes say how often and at which cost. */
  public static final String WATCHED = "watched";

  /**
   * A thing that a watched host does not show; the attributes {@link #WHAT} and {@link #WHY} say
   * what and why.
   */
  public static final String NOT_VISIBLE = "not-visible";

  /** The attribute of {@link #NOT_VISIBLE} that names what is not shown. */
  public static final String WHAT = "what";

  /** The attribute of {@link #NOT_VISIBLE} that says why. */
  public static final String WHY = "why";

  /** The part of a trial over which results are computed. */
  public static final String PHASE_RUN = "phase-run";

  /** The part of a trial before the run in which load grows. */
  public static final String PHASE_RAMP_UP = "phase-ramp-up";

  /** The part of a trial after the run in which load ebbs. */
  public static final String PHASE_RAMP_DOWN = "phase-ramp-down";

  private EventKinds() {}
}
