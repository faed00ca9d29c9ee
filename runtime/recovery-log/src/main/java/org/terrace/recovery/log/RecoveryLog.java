package org.terrace.recovery.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A log on disk of what was decided, in the order of decision, from which those who were away catch
 * up.
 *
 * <p>A record is acknowledged when the disk has it; those that wait at one time are forced together
 * (group commit). Each has a checksum. A torn end, as a crash leaves it, is cut off at the next
 * opening; damage anywhere else is an error. Old files are dropped by size, and {@link
 * #greatestDropped()} says what is gone. One process at a time may have it open. Thread-safe.
 */
public final class RecoveryLog implements AutoCloseable {
  /** A receiver of records. */
  @FunctionalInterface
  public interface Reader {
    /** Takes the next record. */
    void read(LogRecord entry) throws IOException;
  }

  /**
   * The number of attempts at the lock, which whoever looks whether it is taken has for a moment.
   */
  private static final int LOCK_ATTEMPTS = 10;

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(10);

  private final RecoveryLogOptions options;
  private final DirectoryLock lock;
  private final List<LogSegment> segments;
  private final LogWriter writer;
  private final UUID identity;

  private RecoveryLog(
      RecoveryLogOptions options,
      DirectoryLock lock,
      List<LogSegment> segments,
      LogWriter.FileOpener files) {
    this.options = options;
    this.lock = lock;
    this.segments = segments;
    this.identity = segments.getFirst().identity;
    this.writer = new LogWriter(this, files, segments.getLast().lastIndex + 1);
  }

  /** Whether a directory holds a log. */
  public static boolean isIn(Path directory) throws IOException {
    return Files.isDirectory(directory) && !files(directory).isEmpty();
  }

  /**
   * Opens the log of a directory, or begins one if there is none.
   *
   * @param greatestBefore for a log that begins: whoever has not all up to this position cannot
   *     catch up from it
   * @throws IOException when another process has it open, or it is damaged, or cannot be read
   */
  public static RecoveryLog open(RecoveryLogOptions options, long greatestBefore)
      throws IOException {
    return open(options, greatestBefore, UUID.randomUUID());
  }

  /**
   * Opens the log of a directory, or begins one if there is none.
   *
   * @param identity the name of a log that begins, which no other has
   * @see #open(RecoveryLogOptions, long)
   */
  public static RecoveryLog open(RecoveryLogOptions options, long greatestBefore, UUID identity)
      throws IOException {
    return open(
        options,
        greatestBefore,
        identity,
        file -> FileChannel.open(file, StandardOpenOption.WRITE));
  }

  /** A log whose records are written to files that are opened in a way of their own. */
  static RecoveryLog open(
      RecoveryLogOptions options, long greatestBefore, UUID identity, LogWriter.FileOpener files)
      throws IOException {
    Files.createDirectories(options.directory());
    DirectoryLock lock = lock(options.directory());
    try {
      List<LogSegment> segments = segments(options.directory());
      if (segments.isEmpty()) {
        segments.add(LogSegment.create(options.directory(), identity, 1, greatestBefore));
      }
      RecoveryLog log = new RecoveryLog(options, lock, segments, files);
      log.writer.start();
      return log;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Whether a process has the log of a directory open. The system tells that it has it no more as
   * soon as the process has ended, however it did.
   *
   * @throws IOException when the directory cannot be read
   */
  public static boolean isInUse(Path directory) throws IOException {
    return DirectoryLock.isTaken(directory);
  }

  private static DirectoryLock lock(Path directory) throws IOException {
    for (int i = 0; i < LOCK_ATTEMPTS; i++) {
      DirectoryLock lock = DirectoryLock.tryTake(directory);
      if (lock != null) {
        return lock;
      }
      LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
    }
    throw new IOException(
        "The recovery log %s is in use by another cluster or process: give each its own directory."
            .formatted(directory));
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(entry -> entry.getFileName().toString().endsWith(LogSegment.SUFFIX))
          .sorted()
          .toList();
    }
  }

  private static List<LogSegment> segments(Path directory) throws IOException {
    List<Path> files = files(directory);
    List<LogSegment> segments = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      LogSegment next = LogSegment.open(files.get(i), i == files.size() - 1);
      if (i > 0) {
        LogSegment before = segments.getLast();
        if (!next.identity.equals(before.identity) || next.firstIndex != before.lastIndex + 1) {
          throw LogSegment.damaged(next.file, "it does not follow " + before.file.getFileName());
        }
      }
      segments.add(next);
    }
    return segments;
  }

  /** The name that a log gets when it begins. */
  public UUID identity() {
    return identity;
  }

  /** The index of the last record on disk; 0 if there never was one. */
  public long lastIndex() {
    synchronized (segments) {
      return segments.getLast().lastIndex;
    }
  }

  /** The index of the first record that is still there, or would be the first. */
  public long firstIndex() {
    synchronized (segments) {
      return segments.getFirst().firstIndex;
    }
  }

  /** The greatest position of all records that are or were in the log. */
  public long greatest() {
    synchronized (segments) {
      return segments.getLast().greatest;
    }
  }

  /** The position of the last record on disk, if any is left. */
  public OptionalLong lastPosition() {
    synchronized (segments) {
      for (LogSegment segment : segments.reversed()) {
        if (segment.lastIndex >= segment.firstIndex) {
          return OptionalLong.of(segment.lastPosition);
        }
      }
      return OptionalLong.empty();
    }
  }

  /** The greatest position of the records that are gone, or were before the log began. */
  public long greatestDropped() {
    synchronized (segments) {
      return segments.getFirst().greatestBefore;
    }
  }

  /**
   * Adds a record behind all that were given before.
   *
   * @return its index, once the disk has it; it fails with an {@link IOException}, as do all that
   *     follow: with a {@link RecordMayRemainException} if the record may be in the log
   *     nevertheless
   */
  public CompletableFuture<Long> append(long position, byte[] payload) {
    return writer.append(position, payload);
  }

  /**
   * Reads the records with indices in a range, both included. Costs what they are, wherever in the
   * log.
   *
   * @throws IOException when some of them are gone or cannot be read
   */
  public void read(long from, long to, Reader reader) throws IOException {
    List<LogSegment> chosen = new ArrayList<>();
    synchronized (segments) {
      if (from < segments.getFirst().firstIndex || to > segments.getLast().lastIndex) {
        throw new IOException(
            "records %d to %d are wanted, and the log has %d to %d"
                .formatted(from, to, segments.getFirst().firstIndex, segments.getLast().lastIndex));
      }
      chosen.addAll(segments);
    }
    for (int i = 0; i < chosen.size(); i++) {
      LogSegment segment = chosen.get(i);
      long end = i + 1 < chosen.size() ? chosen.get(i + 1).firstIndex - 1 : to;
      if (segment.firstIndex <= to && end >= from) {
        segment.read(from, Math.min(to, end), reader::read);
      }
    }
  }

  /** The failure after which it takes no records any more, if there was one. */
  public Optional<IOException> failure() {
    return Optional.ofNullable(writer.failure());
  }

  /** Writes what is waiting, and closes the files. */
  @Override
  public void close() throws IOException {
    try {
      writer.close();
    } finally {
      lock.close();
    }
  }

  /** The segment for the next group; begins another when the last is full. For the writer. */
  LogSegment segmentToWrite() throws IOException {
    LogSegment last;
    synchronized (segments) {
      last = segments.getLast();
    }
    if (last.bytes < options.segmentBytes() || last.lastIndex < last.firstIndex) {
      return last;
    }
    LogSegment next =
        LogSegment.create(options.directory(), identity, last.lastIndex + 1, last.greatest);
    List<LogSegment> dropped = new ArrayList<>();
    synchronized (segments) {
      segments.add(next);
      long bytes = segments.stream().mapToLong(segment -> segment.bytes).sum();
      while (segments.size() > 2 && bytes > options.retainedBytes()) {
        LogSegment oldest = segments.removeFirst();
        bytes -= oldest.bytes;
        dropped.add(oldest);
      }
    }
    for (LogSegment segment : dropped) {
      Files.deleteIfExists(segment.file);
    }
    return next;
  }

  /** Notes a group that the disk has. For the writer. */
  void written(LogSegment segment, List<LogRecord> group) {
    synchronized (segments) {
      for (LogRecord entry : group) {
        segment.appended(
            entry.position(),
            segment.bytes + LogSegment.RECORD_HEADER_BYTES + entry.payload().length);
      }
    }
  }
}
