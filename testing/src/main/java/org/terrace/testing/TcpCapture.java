package org.terrace.testing;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes a packet capture (pcap, nanoseconds, Ethernet) of TCP connections as a test or a benchmark
 * dictates them, with whole headers, sequence numbers and acknowledgements. Confined to one thread.
 */
public final class TcpCapture implements Closeable {
  /** The flag that finishes a direction. */
  public static final int FIN = 0x01;

  /** The flag that opens a connection. */
  public static final int SYN = 0x02;

  /** The flag that breaks a connection off. */
  public static final int RST = 0x04;

  /** The flag that asks to hand data on. */
  public static final int PSH = 0x08;

  /** The flag that makes the acknowledgement number count. */
  public static final int ACK = 0x10;

  /** The largest payload of a segment on Ethernet. */
  public static final int SEGMENT_BYTES_MAX = 1448;

  /** Bytes of the headers before the payload: Ethernet, IPv4, TCP with time stamps. */
  public static final int HEADER_BYTES = 14 + 20 + 32;

  private static final int MAGIC_NANOS = 0xa1b23c4d;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final OutputStream output;
  private final int snapLength;
  private final byte[] record = new byte[16 + HEADER_BYTES + (64 << 10)];
  private long bytesWritten;
  private int identification;

  /** A capture written to a stream, which {@link #close()} closes. */
  public TcpCapture(OutputStream output, int snapLength) {
    this.output = output;
    this.snapLength = snapLength;
    ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(MAGIC_NANOS).putShort((short) 2).putShort((short) 4);
    header.putInt(0).putInt(0).putInt(snapLength).putInt(1);
    write(header.array(), header.capacity());
  }

  /** A capture of whole packets written to a file. */
  public static TcpCapture to(Path file) throws IOException {
    return new TcpCapture(
        new BufferedOutputStream(Files.newOutputStream(file), 1 << 20), 256 << 10);
  }

  /** A capture of whole packets kept in memory. */
  public static TcpCapture inMemory(ByteArrayOutputStream bytes) {
    return new TcpCapture(bytes, 256 << 10);
  }

  /** The size of the capture so far. */
  public long bytesWritten() {
    return bytesWritten;
  }

  /** A connection between two endpoints, with IPv4 addresses as in {@code 127.0.2.1}. */
  public Connection connection(String client, int clientPort, String server, int serverPort) {
    return new Connection(address(client), clientPort, address(server), serverPort);
  }

  private static int address(String text) {
    int address = 0;
    for (String part : text.split("\\.", -1)) {
      address = address << 8 | Integer.parseInt(part);
    }
    return address;
  }

  private void write(byte[] bytes, int length) {
    try {
      output.write(bytes, 0, length);
      bytesWritten += length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    output.close();
  }

  /** One connection, whose segments are written as they are called for. */
  public final class Connection {
    private final int[] addresses;
    private final int[] ports;
    private final int[] next = {1_000, 0xffff_f000};

    private Connection(int client, int clientPort, int server, int serverPort) {
      addresses = new int[] {client, server};
      ports = new int[] {clientPort, serverPort};
    }

    /** The handshake: three packets, the last after the given time. */
    public void open(long timeNanos) {
      segment(true, timeNanos, SYN, next[0], 0, new byte[0], 0, 0);
      next[0]++;
      segment(false, timeNanos + 10, SYN | ACK, next[1], next[0], new byte[0], 0, 0);
      next[1]++;
      acknowledge(true, timeNanos + 20);
    }

    /** Data from one side, in segments of full size, all at the given time. */
    public void send(boolean fromClient, long timeNanos, byte[] data) {
      send(fromClient, timeNanos, data, SEGMENT_BYTES_MAX);
    }

    /** Data from one side in segments of at most the given size, all at the given time. */
    public void send(boolean fromClient, long timeNanos, byte[] data, int segmentBytesMax) {
      int side = fromClient ? 0 : 1;
      for (int from = 0; from < data.length; from += segmentBytesMax) {
        int to = Math.min(data.length, from + segmentBytesMax);
        int flags = to == data.length ? ACK | PSH : ACK;
        segment(fromClient, timeNanos, flags, next[side], next[1 - side], data, from, to);
        next[side] += to - from;
      }
    }

    /** Text from one side, as ISO 8859-1. */
    public void send(boolean fromClient, long timeNanos, String text) {
      send(fromClient, timeNanos, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Data that one side sends and the capture does not see. */
    public void lose(boolean fromClient, int bytes) {
      next[fromClient ? 0 : 1] += bytes;
    }

    /** An acknowledgement without data. */
    public void acknowledge(boolean fromClient, long timeNanos) {
      int side = fromClient ? 0 : 1;
      segment(fromClient, timeNanos, ACK, next[side], next[1 - side], new byte[0], 0, 0);
    }

    /** One side says that it will send no more. */
    public void finish(boolean fromClient, long timeNanos) {
      int side = fromClient ? 0 : 1;
      segment(fromClient, timeNanos, FIN | ACK, next[side], next[1 - side], new byte[0], 0, 0);
      next[side]++;
    }

    /** Ends the connection from both sides. */
    public void close(long timeNanos) {
      finish(true, timeNanos);
      finish(false, timeNanos + 10);
      acknowledge(true, timeNanos + 20);
    }

    /** One side breaks the connection off. */
    public void reset(boolean fromClient, long timeNanos) {
      int side = fromClient ? 0 : 1;
      segment(fromClient, timeNanos, RST | ACK, next[side], next[1 - side], new byte[0], 0, 0);
    }

    /** The sequence number of the next byte of one side. */
    public int sequence(boolean fromClient) {
      return next[fromClient ? 0 : 1];
    }

    /** One packet with every field as given, whatever was sent before. */
    public void segment(
        boolean fromClient,
        long timeNanos,
        int flags,
        int sequence,
        int acknowledgement,
        byte[] data,
        int from,
        int to) {
      int side = fromClient ? 0 : 1;
      int wire = HEADER_BYTES + to - from;
      int captured = Math.min(wire, snapLength);
      ByteBuffer packet = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
      packet.putInt((int) (timeNanos / NANOS_PER_SECOND));
      packet.putInt((int) (timeNanos % NANOS_PER_SECOND));
      packet.putInt(captured).putInt(wire);
      packet.order(ByteOrder.BIG_ENDIAN);
      packet.putLong(0x0200_0000_0001_0200L).putInt(0x0000_0002).putShort((short) 0x0800);
      packet.putShort((short) 0x4500).putShort((short) (wire - 14));
      packet.putShort((short) ++identification).putShort((short) 0x4000);
      packet.putShort((short) 0x4006).putShort((short) 0);
      packet.putInt(addresses[side]).putInt(addresses[1 - side]);
      packet.putShort((short) ports[side]).putShort((short) ports[1 - side]);
      packet.putInt(sequence).putInt(acknowledgement);
      packet.putShort((short) (8 << 12 | flags)).putShort((short) 502).putInt(0);
      packet.putInt(0x0101_080a).putInt((int) (timeNanos / 1_000_000)).putInt(0);
      packet.put(data, from, to - from);
      write(record, 16 + captured);
    }
  }

  /** A copy of a capture without some of its bytes, for tests of damage. */
  public static byte[] without(byte[] capture, int from, int to) {
    byte[] shorter = Arrays.copyOf(capture, capture.length - (to - from));
    System.arraycopy(capture, to, shorter, from, capture.length - to);
    return shorter;
  }
}
