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

  /** The part of a trial over which results are computed. */
  public static final String PHASE_RUN = "phase-run";

  /** The part of a trial before the run in which load grows. */
  public static final String PHASE_RAMP_UP = "phase-ramp-up";

  /** The part of a trial after the run in which load ebbs. */
  public static final String PHASE_RAMP_DOWN = "phase-ramp-down";

  private EventKinds() {}
}
