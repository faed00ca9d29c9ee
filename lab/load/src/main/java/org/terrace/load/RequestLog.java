package org.terrace.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.load.RowFormat.PageFacts;
import org.terrace.load.RowFormat.PageTimes;

/**
 * Keeps every request of a run in a file: rows go into one of {@value #BUFFERS} preallocated
 * buffers, and a thread of its own writes the full ones, so that memory does not grow with the
 * length of a run. A row that finds no free buffer is lost and counted.
 *
 * <p>{@link #add} is thread-safe; the other methods belong to the thread that opened the log.
 */
final class RequestLog implements AutoCloseable {
  /** Buffers in turn: 4 of 16,384 rows hold what 2,000 requests a second make in half a minute. */
  private static final int BUFFERS = 4;

  private static final int ROWS_PER_BUFFER = 16_384;

  /** A file of more rows would not fit the table that reads it. */
  private static final long MAXIMUM_ROWS = 500_000_000;

  private final Path file;
  private final Path partial;
  private final FileChannel channel;
  private final Thread writer;
  private final BlockingQueue<ByteBuffer> full = new ArrayBlockingQueue<>(BUFFERS + 1);
  private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(BUFFERS);
  private final ByteBuffer end = ByteBuffer.allocate(0);

  private @Nullable ByteBuffer current;
  private long rows;
  private long lost;
  private boolean closed;
  private volatile @Nullable IOException failure;

  private RequestLog(Path file, Path partial, FileChannel channel) {
    this.file = file;
    this.partial = partial;
    this.channel = channel;
    for (int i = 0; i < BUFFERS; i++) {
      free.add(ByteBuffer.allocateDirect(ROWS_PER_BUFFER * RowFormat.ROW_BYTES));
    }
    writer = Thread.ofPlatform().daemon().name("request-log").start(this::writeFullBuffers);
  }

  /** Opens a log that will be {@link LoadResult#REQUESTS_FILE} in the directory once closed. */
  static RequestLog open(Path directory) {
    Path file = directory.resolve(LoadResult.REQUESTS_FILE);
    Path partial = directory.resolve(LoadResult.REQUESTS_FILE + ".partial");
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(
              partial,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      channel.write(ByteBuffer.allocate(RowFormat.HEADER_BYTES).putLong(RowFormat.MAGIC).flip());
      return new RequestLog(file, partial, channel);
    } catch (IOException e) {
      throw unwritable(partial, e);
    }
  }

  /** Adds a row, or counts it as lost when the writer is behind or the log is closed. */
  synchronized void add(PageTimes times, PageFacts facts) {
    if (current == null) {
      current = free.poll();
    }
    ByteBuffer buffer = current;
    if (buffer == null || closed || rows == MAXIMUM_ROWS) {
      lost++;
      return;
    }
    RowFormat.put(buffer, times, facts);
    rows++;
    if (buffer.remaining() < RowFormat.ROW_BYTES) {
      full.add(buffer);
      current = null;
    }
  }

  /** Rows added so far. */
  synchronized long rows() {
    return rows;
  }

  /** Rows that could not be kept. */
  synchronized long lost() {
    return lost;
  }

  /**
   * Writes what is left and gives the file its name; a second call does nothing.
   *
   * @throws TerraceException if any row could not be written
   */
  void finish() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      if (current != null) {
        full.add(current);
        current = null;
      }
    }
    full.add(end);
    try {
      writer.join();
      channel.close();
      IOException failed = failure;
      if (failed != null) {
        throw failed;
      }
      Files.move(
          partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw unwritable(partial, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while writing " + partial, e);
    }
  }

  @Override
  public void close() {
    finish();
  }

  private void writeFullBuffers() {
    try {
      for (ByteBuffer buffer = full.take(); buffer.capacity() > 0; buffer = full.take()) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        free.add(buffer.clear());
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      failure = new IOException("the writer was interrupted", e);
    }
  }

  private static TerraceException unwritable(Path file, IOException e) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        file + ": cannot be written (" + e + "); check the directory's rights and free space.",
        e);
  }
}
