package org.terrace.collections;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TerraceException;

/**
 * Writes a replica's checkpoint now and again, on a thread of its own, since a disk may be slow.
 * Thread-safe.
 */
final class Checkpointer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Checkpointer.class.getName());

  private final ReplicatedCollections collections;
  private final CheckpointFile file;
  private final CountDownLatch closing = new CountDownLatch(1);
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
      while (!closing.await(file.period().toNanos(), TimeUnit.NANOSECONDS)) {
        write();
      }
      write();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    try {
      collections.writeCheckpoint(file.path());
    } catch (TerraceException e) {
      LOG.log(Level.ERROR, "The old checkpoint stays: " + e.getMessage(), e);
    }
  }

  /** Writes a last one. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
