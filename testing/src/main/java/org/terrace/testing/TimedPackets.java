package org.terrace.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The packets of a capture that {@link TcpCapture} wrote, to be written again as another point
 * would have recorded them: with other times, or without some. Immutable.
 *
 * @param header the header of the file
 * @param packets its packets
 */
public record TimedPackets(byte[] header, List<Packet> packets) {
  private static final int FILE_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final int SOURCE_AT = 14 + 12;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Copies the list. */
  public TimedPackets {
    packets = List.copyOf(packets);
  }

  /**
   * A packet.
   *
   * @param timeNanos its time, in nanoseconds since the Unix epoch
   * @param lengths its lengths as the file has them
   * @param bytes its bytes
   */
  public record Packet(long timeNanos, long lengths, byte[] bytes) {
    /** The same at another time. */
    public Packet at(long otherNanos) {
      return new Packet(otherNanos, lengths, bytes);
    }

    /** Whether a host sent it, given as in {@code 127.0.2.1}. */
    public boolean isFrom(String host) {
      return text(SOURCE_AT).equals(host);
    }

    /** Whether it goes to a host. */
    public boolean isTo(String host) {
      return text(SOURCE_AT + 4).equals(host);
    }

    private String text(int at) {
      return (bytes[at] & 0xff)
          + "."
          + (bytes[at + 1] & 0xff)
          + "."
          + (bytes[at + 2] & 0xff)
          + "."
          + (bytes[at + 3] & 0xff);
    }
  }

  /** The packets of a capture. */
  public static TimedPackets of(byte[] capture) {
    ByteBuffer file = ByteBuffer.wrap(capture).order(ByteOrder.LITTLE_ENDIAN);
    byte[] header = new byte[FILE_HEADER_BYTES];
    file.get(header);
    List<Packet> packets = new ArrayList<>();
    while (file.remaining() >= RECORD_HEADER_BYTES) {
      long timeNanos = file.getInt() * NANOS_PER_SECOND + file.getInt();
      long lengths = file.getLong();
      byte[] bytes = new byte[(int) lengths];
      file.get(bytes);
      packets.add(new Packet(timeNanos, lengths, bytes));
    }
    return new TimedPackets(header, packets);
  }

  /** The same file with other packets, in the order of the list. */
  public TimedPackets with(List<Packet> others) {
    return new TimedPackets(header, others);
  }

  /** The same packets in the order of their times. */
  public TimedPackets sorted() {
    return with(packets.stream().sorted(Comparator.comparingLong(Packet::timeNanos)).toList());
  }

  /** The file. */
  public byte[] toBytes() {
    int size = header.length;
    for (Packet packet : packets) {
      size += RECORD_HEADER_BYTES + packet.bytes().length;
    }
    ByteBuffer file = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    file.put(header);
    for (Packet packet : packets) {
      file.putInt((int) (packet.timeNanos() / NANOS_PER_SECOND));
      file.putInt((int) (packet.timeNanos() % NANOS_PER_SECOND));
      file.putLong(packet.lengths());
      file.put(packet.bytes());
    }
    return file.array();
  }
}
