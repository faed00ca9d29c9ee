package org.terrace.capture;

/**
 * The counts of a capture so far.
 *
 * <p>After {@link PacketCapture#close} of a built-in capture {@code received == written + dropped}
 * holds exactly. Child processes tell their drops only when they end, so {@code dropped} is 0 and
 * {@code received} equals {@code written} until then.
 *
 * @param received packets that passed the filter, the dropped ones included
 * @param dropped packets that passed the filter and were lost because the ring was full
 * @param written packets in the file
 * @param bytes bytes of the written packets as they were on the wire, before the snap length cut
 *     them, link-layer headers included
 * @param fileBytes bytes handed to the file so far
 */
public record CaptureCounts(
    long received, long dropped, long written, long bytes, long fileBytes) {}
