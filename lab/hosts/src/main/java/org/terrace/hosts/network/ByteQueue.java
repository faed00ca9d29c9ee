package org.terrace.hosts.network;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bytes that one thread brings and another reads, {@value #MOST_BYTES} at a time: whoever brings
 * more waits. Thread-safe.
 */
public final class ByteQueue extends InputStream {
  /** The most bytes that are held. */
  public static final int MOST_BYTES = 8 << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private int held;
  private int at;
  private boolean ended;

  /** Brings a piece; passed over after the end. */
  public void put(byte[] piece) {
    lock.lock();
    try {
      while (!ended && held > 0 && held + piece.length > MOST_BYTES) {
        changed.awaitUninterruptibly();
      }
      if (!ended && piece.length > 0) {
        pieces.addLast(piece);
        held += piece.length;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Tells that nothing comes any more. */
  public void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws InterruptedIOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws InterruptedIOException {
    if (length == 0) {
      return 0;
    }
    lock.lock();
    try {
      while (pieces.isEmpty()) {
        if (ended) {
          return -1;
        }
        changed.await();
      }
      byte[] first = pieces.getFirst();
      int count = Math.min(length, first.length - at);
      System.arraycopy(first, at, into, offset, count);
      at += count;
      held -= count;
      if (at == first.length) {
        pieces.removeFirst();
        at = 0;
      }
      changed.signalAll();
      return count;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a process's output was waited for");
    } finally {
      lock.unlock();
    }
  }
}
