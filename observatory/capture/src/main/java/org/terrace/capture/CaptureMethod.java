package org.terrace.capture;

/** The way packets are taken from an interface. */
public enum CaptureMethod {
  /** The built-in ring where it is permitted, else a {@code tcpdump} or {@code dumpcap} that is. */
  AUTOMATIC,
  /** An AF_PACKET socket with a TPACKET_V3 ring, read by this process. */
  BUILT_IN,
  /** A {@code tcpdump} child process. */
  TCPDUMP,
  /** A {@code dumpcap} child process; its times are whole microseconds. */
  DUMPCAP
}
