package org.terrace.observation;

import java.util.List;

/**
 * The counts of what a capture saw and lost. Immutable.
 *
 * @param packets packets read; one that several points saw counts once
 * @param bytes bytes of those packets on the wire
 * @param droppedPackets packets the kernel or the capture file say were lost
 * @param gaps stretches of TCP streams that were acknowledged but never seen
 * @param midStreamConnections connections that were already open when the capture began
 * @param points the points at which it was recorded, that with the clock of all times first; empty
 *     where there was one, and in older files
 */
public record CaptureFigures(
    long packets,
    long bytes,
    long droppedPackets,
    long gaps,
    long midStreamConnections,
    List<CapturePoint> points) {

  /** Copies the points. */
  public CaptureFigures {
    points = List.copyOf(points);
  }

  /** The counts of a capture at one point. */
  public CaptureFigures(
      long packets, long bytes, long droppedPackets, long gaps, long midStreamConnections) {
    this(packets, bytes, droppedPackets, gaps, midStreamConnections, List.of());
  }

  /** These counts, recorded at several points. */
  public CaptureFigures withPoints(List<CapturePoint> several) {
    return new CaptureFigures(packets, bytes, droppedPackets, gaps, midStreamConnections, several);
  }
}
