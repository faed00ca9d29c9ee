package org.terrace.collections;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes a replica's checkpoint now and again, on a thread of its own, since a disk may be slow.
 *
 * <p>When the replica is leaving, its last checkpoint is deleted once its heirs have all that it
 * has: it would outlive what the replica knows. Thread-safe.
 */
final class Checkpointer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Checkpointer.class.getName());
  private static final long POLL_NANOS = 10_000_000;

  private enum Order {
    DISCARD,
    CLOSE
  }

  private final ReplicatedCollections collections;
  private final CheckpointFile file;
  private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
  private final Thread thread;

  Checkpointer(ReplicatedCollections collections, CheckpointFile file, String member) {
    this.collections = collections;
    this.file = file;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("collections-" + member + "-checkpoint")
            .unstarted(this::writeAgainAndAgain);
  }

  void start() {
    thread.start();
  }

  private void writeAgainAndAgain() {
    try {
      Order order = awaitOrder(file.period().toNanos());
      while (order == null) {
        write();
        order = awaitOrder(file.period().toNanos());
      }
      if (order == Order.CLOSE || !discard() || isNeededWhenClosed()) {
        write();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Order awaitOrder(long nanos) throws InterruptedException {
    return orders.poll(nanos, TimeUnit.NANOSECONDS);
  }

  /** Goes on writing until there is nothing left to keep; not if it is closed before. */
  private boolean discard() throws InterruptedException {
    long sinceWrittenNanos = 0;
    while (!collections.isHandedOver()) {
      if (awaitOrder(POLL_NANOS) == Order.CLOSE) {
        return false;
      }
      sinceWrittenNanos += POLL_NANOS;
      if (sinceWrittenNanos >= file.period().toNanos()) {
        write();
        sinceWrittenNanos = 0;
      }
    }
    try {
      Files.deleteIfExists(file.path());
      forceFolder();
      collections.replica().checkpointDiscarded();
    } catch (IOException e) {
      LOG.log(
          Level.ERROR,
          "The replica stays remembered: its checkpoint " + file.path() + " cannot be deleted",
          e);
    }
    return true;
  }

  /**
   * Waits until it is closed; says whether the replica has not left until then, so that it stays.
   */
  private boolean isNeededWhenClosed() throws InterruptedException {
    while (orders.take() != Order.CLOSE) {} // asked to leave once more
    return collections.replica().within(() -> collections.replica().antiEntropy().keepCheckpoint());
  }

  /** A file is deleted when its folder is on the disk. */
  private void forceFolder() throws IOException {
    Path folder = file.path().toAbsolutePath().getParent();
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private void write() {
    try {
      collections.writeCheckpoint(file.path());
    } catch (RuntimeException e) { // also what a codec throws: a later one may be whole again
      LOG.log(Level.ERROR, "The old checkpoint stays: " + e.getMessage(), e);
    }
  }

  /** Deletes the checkpoint, and writes no more, once the replica's heirs have all that it has. */
  void discardOnceHandedOver() {
    orders.add(Order.DISCARD);
  }

  /** Writes a last one, unless the replica has left. */
  @Override
  public void close() {
    orders.add(Order.CLOSE);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
