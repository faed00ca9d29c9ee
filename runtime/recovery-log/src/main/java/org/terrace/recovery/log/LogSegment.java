package org.terrace.recovery.log;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One file of a log: a header, then records one after the other. Numbers are big-endian.
 *
 * <pre>
 * header: magic 8 | identity 16 | first index 8 | greatest position before it 8 | CRC-32C 4
 * record: payload bytes 4 | CRC-32C of index, position, payload 4 | position 8 | payload
 * </pre>
 *
 * <p>The index is in the checksum and not in the file, so that a record at a wrong place is none.
 * For one writer; others may read what was written before they began.
 */
final class LogSegment {
  /** No record has more bytes. */
  static final int PAYLOAD_BYTES_MAX = 1 << 29;

  static final int RECORD_HEADER_BYTES = 16;
  static final String SUFFIX = ".log";

  private static final long MAGIC = 0x5445_5252_4C4F_4731L;
  private static final int HEADER_BYTES = 44;
  private static final int RECORDS_BETWEEN_MARKS = 32;

  /** A receiver of records. */
  @FunctionalInterface
  interface Visitor {
    void visit(LogRecord entry) throws IOException;
  }

  final Path file;
  final UUID identity;
  final long firstIndex;
  final long greatestBefore;
  long lastIndex;
  long greatest;

  /** Of its last record, if it has any. */
  long lastPosition;

  long bytes;

  /**
   * The places in the file where stretches of so many records begin, for readers to begin there.
   */
  private final List<Long> marks = new ArrayList<>();

  private LogSegment(Path file, UUID identity, long firstIndex, long greatestBefore) {
    this.file = file;
    this.identity = identity;
    this.firstIndex = firstIndex;
    this.greatestBefore = greatestBefore;
    this.lastIndex = firstIndex - 1;
    this.greatest = greatestBefore;
    this.bytes = HEADER_BYTES;
  }

  /** Makes an empty segment, which is there for good, and whole, when this returns. */
  static LogSegment create(Path directory, UUID identity, long firstIndex, long greatestBefore)
      throws IOException {
    Path file = directory.resolve("%020d%s".formatted(firstIndex, SUFFIX));
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.putLong(MAGIC);
    header.putLong(identity.getMostSignificantBits());
    header.putLong(identity.getLeastSignificantBits());
    header.putLong(firstIndex).putLong(greatestBefore);
    header.putInt(checksum(header.array(), HEADER_BYTES - Integer.BYTES)).flip();
    Path made = directory.resolve("new");
    try (FileChannel channel =
        FileChannel.open(
            made,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      writeAll(channel, header);
      channel.force(true);
    }
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
    return new LogSegment(file, identity, firstIndex, greatestBefore);
  }

  /**
   * Reads a segment from end to end.
   *
   * @param last whether a torn end is cut off; else it is an error
   */
  static LogSegment open(Path file, boolean last) throws IOException {
    LogSegment segment;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      segment = header(file, channel);
      segment.scan(channel);
      if (segment.bytes == channel.size()) {
        return segment;
      }
    }
    if (!last) {
      throw damaged(file, "its record " + (segment.lastIndex + 1) + " is not whole");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(segment.bytes);
      channel.force(true);
    }
    return segment;
  }

  private static LogSegment header(Path file, FileChannel channel) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    if (!fill(channel, header, 0)
        || header.getLong() != MAGIC
        || header.getInt(HEADER_BYTES - Integer.BYTES)
            != checksum(header.array(), HEADER_BYTES - Integer.BYTES)) {
      throw damaged(file, "its first bytes are not those of a log");
    }
    UUID identity = new UUID(header.getLong(), header.getLong());
    return new LogSegment(file, identity, header.getLong(), header.getLong());
  }

  private void scan(FileChannel channel) throws IOException {
    long at = HEADER_BYTES;
    for (LogRecord entry = read(channel, at, lastIndex + 1);
        entry != null;
        entry = read(channel, at, lastIndex + 1)) {
      at += RECORD_HEADER_BYTES + entry.payload().length;
      appended(entry.position(), at);
    }
  }

  /** Notes a record that is now in the file, up to this byte. */
  void appended(long position, long end) {
    lastIndex++;
    if ((lastIndex - firstIndex) % RECORDS_BETWEEN_MARKS == 0) {
      synchronized (marks) {
        marks.add(bytes);
      }
    }
    greatest = Math.max(greatest, position);
    lastPosition = position;
    bytes = end;
  }

  /**
   * Hands on the records with indices in a range, both included. Costs what is in the range,
   * however long the segment is.
   */
  void read(long from, long to, Visitor visitor) throws IOException {
    int mark = Math.toIntExact(Math.max(0, from - firstIndex) / RECORDS_BETWEEN_MARKS);
    long at;
    synchronized (marks) {
      at = marks.get(mark);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long first = firstIndex + (long) mark * RECORDS_BETWEEN_MARKS;
      for (long index = first; index <= to; index++) {
        LogRecord entry = read(channel, at, index);
        if (entry == null) {
          throw damaged(file, "its record " + index + " cannot be read any more");
        }
        at += RECORD_HEADER_BYTES + entry.payload().length;
        if (index >= from) {
          visitor.visit(entry);
        }
      }
    }
  }

  private static @Nullable LogRecord read(FileChannel channel, long at, long index)
      throws IOException {
    ByteBuffer header = ByteBuffer.allocate(RECORD_HEADER_BYTES);
    if (!fill(channel, header, at)) {
      return null;
    }
    int length = header.getInt();
    int checksum = header.getInt();
    long position = header.getLong();
    if (length < 0
        || length > PAYLOAD_BYTES_MAX
        || length > channel.size() - at - RECORD_HEADER_BYTES) {
      return null;
    }
    ByteBuffer payload = ByteBuffer.allocate(length);
    if (!fill(channel, payload, at + RECORD_HEADER_BYTES)
        || checksum(index, position, payload.array()) != checksum) {
      return null;
    }
    return new LogRecord(index, position, payload.array());
  }

  /** Writes records into a buffer as they are in a file. */
  static ByteBuffer encode(List<LogRecord> entries) {
    int length =
        entries.stream().mapToInt(entry -> RECORD_HEADER_BYTES + entry.payload().length).sum();
    ByteBuffer buffer = ByteBuffer.allocate(length);
    for (LogRecord entry : entries) {
      buffer.putInt(entry.payload().length);
      buffer.putInt(checksum(entry.index(), entry.position(), entry.payload()));
      buffer.putLong(entry.position()).put(entry.payload());
    }
    return buffer.flip();
  }

  static void writeAll(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.write(buffer) < 0) {
        throw new EOFException("the file takes no more");
      }
    }
  }

  private static boolean fill(FileChannel channel, ByteBuffer buffer, long at) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        return false;
      }
    }
    buffer.flip();
    return true;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }

  private static int checksum(long index, long position, byte[] payload) {
    CRC32C checksum = new CRC32C();
    checksum.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(index).putLong(position).flip());
    checksum.update(payload);
    return (int) checksum.getValue();
  }

  static IOException damaged(Path file, String what) {
    return new IOException(
        "The recovery log's file %s is damaged: %s. Move the log's directory away; then the cluster begins a new log if its servers are equal."
            .formatted(file, what));
  }
}
