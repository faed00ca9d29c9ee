package org.terrace.capture;

import java.nio.file.Path;

/**
 * A running capture: packets of one interface go into a pcapng file until it is closed.
 *
 * <p>The file has its final name from the start and is written in whole blocks, so that whatever
 * ends the process leaves a file that reads up to its last whole block. A JVM that shuts down
 * closes its captures first. On a loopback interface the kernel shows every packet twice, as sent
 * and as received; only the received copy is kept.
 *
 * <p>Thread-safe: one thread of its own does the work, and any thread may ask for the counts or
 * close.
 */
public sealed interface PacketCapture extends AutoCloseable permits RingCapture, ChildCapture {

  /**
   * Starts a capture; when this returns, every later packet is seen.
   *
   * @throws org.terrace.core.TerraceException with {@code MACHINE_LACKS} when the right or the
   *     program to capture is missing, with the command that grants or installs it; with {@code
   *     BAD_INPUT} when the interface or the file cannot be used
   */
  static PacketCapture open(CaptureOptions options) {
    return CaptureOpening.open(options);
  }

  /** The counts so far; after {@link #close} the final counts. */
  CaptureCounts counts();

  /** The method in use, never {@link CaptureMethod#AUTOMATIC}. */
  CaptureMethod method();

  /** The file being written. */
  Path output();

  /**
   * Ends the capture: packets that arrived before the call are written, the final counts are added
   * to the file, and the file is closed. Closing again does nothing.
   *
   * @throws org.terrace.core.TerraceException when the capture had failed, for example for a full
   *     disk; the file holds what was written until then
   */
  @Override
  void close();
}
