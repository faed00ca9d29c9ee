package org.terrace.control.detector;

/** The fault detector's judgement of a replica. */
public enum Verdict {
  /** Heartbeats come as they should. */
  ALIVE,
  /** A heartbeat is later than usual: calls are better hedged, nothing is decided. */
  SUSPECTED,
  /** Connected, but silent for so long that it is taken to hang; a heartbeat takes it back. */
  HUNG,
  /** The connection ended or was reset, or there never was one. */
  CRASHED
}
