package org.terrace.wire.file;

import static org.terrace.wire.file.PcapngFormat.ENHANCED_PACKET;
import static org.terrace.wire.file.PcapngFormat.PACKET_HEADER_BYTES;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A pcapng file being written: one section, one interface, nanosecond times, server names in front
 * and drop counts at the end.
 *
 * <p>Packets gather in a buffer that goes to the file in one call when it is full or {@link #flush}
 * is called, always up to a whole block, so that a file whose writer was killed reads to its end.
 *
 * <p>Source: "PCAP Now Generic (pcapng) Capture File Format", IETF draft-ietf-opsawg-pcapng.
 * Confined to one thread at a time.
 */
public final class PcapngWriter implements AutoCloseable {
  private static final int BATCH_BYTES = 2 << 20;
  private static final int PACKET_OVERHEAD_BYTES = 32;
  private static final int VLAN_BYTES = 4;
  private static final int VLAN_POSITION = 12;
  private static final int LARGEST_PACKET_BYTES = 1 << 20;

  private final WritableByteChannel channel;
  private final ByteBuffer batch =
      ByteBuffer.allocateDirect(BATCH_BYTES).order(ByteOrder.nativeOrder());
  private long packets;
  private long packetBytes;
  private long fileBytes;

  private PcapngWriter(WritableByteChannel channel) {
    this.channel = channel;
  }

  /**
   * Creates the file, or empties it, and writes what stands before the packets.
   *
   * @throws IOException when the file cannot be written
   */
  public static PcapngWriter create(Path output, PcapngHeader header) throws IOException {
    return over(
        FileChannel.open(
            output,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING),
        header);
  }

  /**
   * Writes what stands before the packets to a channel, which is closed with the writer.
   *
   * @throws IOException when the channel cannot be written to
   */
  public static PcapngWriter over(WritableByteChannel channel, PcapngHeader header)
      throws IOException {
    PcapngWriter file = new PcapngWriter(channel);
    try {
      file.write(PcapngBlocks.section(header.hardware(), header.operatingSystem()));
      file.write(PcapngBlocks.captureInterface(header));
      if (!header.names().isEmpty()) {
        file.write(PcapngBlocks.names(header.names()));
      }
      return file;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Adds a packet.
   *
   * @param source holds the packet's bytes at the offset; its position does not matter
   * @param captured bytes at hand, at most 1 MB
   * @param length bytes the packet had on the wire
   */
  public void packet(long epochNanos, ByteBuffer source, int offset, int captured, int length)
      throws IOException {
    int start = begin(epochNanos, captured, length);
    batch.put(start + PACKET_HEADER_BYTES, source, offset, captured);
    end(start, captured);
  }

  /** Adds an Ethernet packet from which the VLAN tag was taken off, with the tag back in place. */
  public void taggedPacket(
      long epochNanos, ByteBuffer source, int offset, int captured, int length, int tag)
      throws IOException {
    if (captured < VLAN_POSITION) {
      packet(epochNanos, source, offset, captured, length);
      return;
    }
    int start = begin(epochNanos, captured + VLAN_BYTES, length + VLAN_BYTES);
    int data = start + PACKET_HEADER_BYTES;
    batch.put(data, source, offset, VLAN_POSITION);
    batch.order(ByteOrder.BIG_ENDIAN).putInt(data + VLAN_POSITION, tag);
    batch.order(ByteOrder.nativeOrder());
    batch.put(
        data + VLAN_POSITION + VLAN_BYTES,
        source,
        offset + VLAN_POSITION,
        captured - VLAN_POSITION);
    end(start, captured + VLAN_BYTES);
  }

  /** Hands what was gathered to the file. */
  public void flush() throws IOException {
    batch.flip();
    write(batch);
    batch.clear();
  }

  /** Packets added so far. */
  public long packets() {
    return packets;
  }

  /** Bytes that the packets had on the wire. */
  public long packetBytes() {
    return packetBytes;
  }

  /** Bytes handed to the file. */
  public long fileBytes() {
    return fileBytes;
  }

  /**
   * Adds the counts of the whole capture; the last thing in the file.
   *
   * @param received packets that passed the filter, the dropped ones included
   * @param dropped packets that passed the filter and were lost
   */
  public void finish(long startEpochNanos, long endEpochNanos, long received, long dropped)
      throws IOException {
    flush();
    write(PcapngBlocks.statistics(startEpochNanos, endEpochNanos, received, dropped, packets));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private int begin(long epochNanos, int captured, int length) throws IOException {
    if (captured < 0 || captured > LARGEST_PACKET_BYTES) {
      throw new IllegalArgumentException("a packet of " + captured + " bytes");
    }
    int total = PACKET_OVERHEAD_BYTES + PcapngFormat.padded(captured);
    if (batch.remaining() < total) {
      flush();
    }
    int start = batch.position();
    batch.putInt(start, ENHANCED_PACKET);
    batch.putInt(start + 4, total);
    batch.putInt(start + 8, 0);
    batch.putInt(start + 12, (int) (epochNanos >>> Integer.SIZE));
    batch.putInt(start + 16, (int) epochNanos);
    batch.putInt(start + 20, captured);
    batch.putInt(start + 24, length);
    packets++;
    packetBytes += length;
    return start;
  }

  private void end(int start, int captured) {
    int data = start + PACKET_HEADER_BYTES;
    int total = PACKET_OVERHEAD_BYTES + PcapngFormat.padded(captured);
    for (int i = captured; i < PcapngFormat.padded(captured); i++) {
      batch.put(data + i, (byte) 0);
    }
    batch.putInt(start + total - Integer.BYTES, total);
    batch.position(start + total);
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      fileBytes += channel.write(bytes);
    }
  }
}
