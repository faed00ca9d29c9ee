package org.terrace.recovery.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The thread that writes a log: all that came while it forced one group to disk is the next group.
 * After a failure of any kind it writes nothing more, as nobody knows what is on the disk, and all
 * that waits or comes fails. Thread-safe.
 */
final class LogWriter {
  /** A group is written when it has so many bytes, though more wait. */
  private static final long GROUP_BYTES_MAX = 8L << 20;

  private record Waiting(LogRecord entry, CompletableFuture<Long> done) {}

  /** The way to write a file. */
  @FunctionalInterface
  interface FileOpener {
    FileChannel open(Path file) throws IOException;
  }

  private final RecoveryLog log;
  private final FileOpener files;
  private final Thread thread;
  private final List<Waiting> queue = new ArrayList<>();
  private long nextIndex;
  private @Nullable FileChannel channel;
  private @Nullable IOException failure;
  private boolean closed;

  LogWriter(RecoveryLog log, FileOpener files, long nextIndex) {
    this.log = log;
    this.files = files;
    this.nextIndex = nextIndex;
    this.thread = Thread.ofPlatform().daemon().name("terrace-recovery-log").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  CompletableFuture<Long> append(long position, byte[] payload) {
    CompletableFuture<Long> done = new CompletableFuture<>();
    IOException refusal = null;
    synchronized (queue) {
      if (failure != null) {
        refusal = failure;
      } else if (closed) {
        refusal = new IOException("the recovery log is closed");
      } else if (payload.length > LogSegment.PAYLOAD_BYTES_MAX) {
        refusal =
            new IOException(
                "a record of %d bytes is longer than %d"
                    .formatted(payload.length, LogSegment.PAYLOAD_BYTES_MAX));
      } else {
        queue.add(new Waiting(new LogRecord(nextIndex++, position, payload), done));
        queue.notifyAll();
      }
    }
    if (refusal != null) {
      done.completeExceptionally(refusal);
    }
    return done;
  }

  /** Writes what is waiting and ends. */
  void close() throws IOException {
    synchronized (queue) {
      closed = true;
      queue.notifyAll();
    }
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    FileChannel open = channel;
    if (open != null) {
      open.close();
    }
  }

  private void run() {
    try {
      writeAll();
    } catch (RuntimeException | Error e) {
      // Only what waits is left: a group that was taken has its answer.
      IOException failed = broken(e);
      fail(failed);
      List<Waiting> left;
      synchronized (queue) {
        left = List.copyOf(queue);
        queue.clear();
      }
      left.forEach(waiting -> waiting.done.completeExceptionally(failed));
    }
  }

  private static IOException broken(Throwable breakdown) {
    return breakdown instanceof IOException failure
        ? failure
        : new IOException("the recovery log's writer broke down: " + breakdown, breakdown);
  }

  private void writeAll() {
    for (List<Waiting> group = take(); !group.isEmpty(); group = take()) {
      IOException failed = failure();
      if (failed == null) {
        failed = write(group.stream().map(Waiting::entry).toList());
      }
      if (failed == null) {
        group.forEach(waiting -> waiting.done.complete(waiting.entry.index()));
      } else {
        fail(failed);
        for (Waiting waiting : group) {
          waiting.done.completeExceptionally(failed);
        }
      }
    }
  }

  private void fail(IOException failed) {
    synchronized (queue) {
      // What comes now is not written, whatever became of what came before.
      failure =
          failed instanceof RecordMayRemainException
              ? new IOException("the recovery log failed before: " + failed.getMessage(), failed)
              : failed;
    }
  }

  /** The failure after which nothing more is written; null: there was none. */
  @Nullable IOException failure() {
    synchronized (queue) {
      return failure;
    }
  }

  private List<Waiting> take() {
    synchronized (queue) {
      while (queue.isEmpty() && !closed) {
        try {
          queue.wait();
        } catch (InterruptedException e) {
          // Nobody is meant to end this thread but close().
        }
      }
      List<Waiting> group = new ArrayList<>();
      long bytes = 0;
      for (Waiting waiting : queue) {
        if (!group.isEmpty() && bytes + waiting.entry.payload().length > GROUP_BYTES_MAX) {
          break;
        }
        bytes += waiting.entry.payload().length;
        group.add(waiting);
      }
      queue.subList(0, group.size()).clear();
      return group;
    }
  }

  /** Writes a group for good, or gives what failed, whatever it is: somebody waits for it. */
  private @Nullable IOException write(List<LogRecord> group) {
    LogSegment segment;
    FileChannel open;
    try {
      segment = log.segmentToWrite();
      open = channelOf(segment);
    } catch (IOException | RuntimeException | Error e) {
      return broken(e);
    }
    try {
      open.position(segment.bytes);
      LogSegment.writeAll(open, LogSegment.encode(group));
      open.force(false);
    } catch (IOException | RuntimeException | Error e) {
      IOException failed = broken(e);
      return cut(segment, failed) ? failed : new RecordMayRemainException(failed);
    }
    try {
      log.written(segment, group);
      return null;
    } catch (RuntimeException | Error e) {
      return new RecordMayRemainException(broken(e));
    }
  }

  private FileChannel channelOf(LogSegment segment) throws IOException {
    FileChannel open = channel;
    if (open == null || segment.lastIndex < segment.firstIndex) {
      if (open != null) {
        open.close();
      }
      open = files.open(segment.file);
      channel = open;
    }
    return open;
  }

  /**
   * Takes back what may be half written, so that nobody replays what was said to have failed; says
   * whether it is gone. The channel that failed is not trusted with it.
   */
  private boolean cut(LogSegment segment, IOException failure) {
    try (FileChannel again = files.open(segment.file)) {
      again.truncate(segment.bytes);
      again.force(true);
      return true;
    } catch (IOException | RuntimeException | Error e) {
      failure.addSuppressed(e);
      return false;
    }
  }
}
