package org.terrace.invocation.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.BitSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;

/**
 * The numbers of one client's requests, ascending from 1. A number whose place is still taken by a
 * call under way is passed over: what a replica remembers at a place is then always of the last
 * request there, however long one call hangs while others go on. So a client has at most {@value
 * RequestIdentity#PLACES} calls under way; further ones wait. Thread-safe.
 *
 * <p>Source: the slots of a session in Shepler, Eisler, Noveck, "Network File System Version 4
 * Minor Version 1", RFC 5661, 2010.
 */
final class RequestNumbers {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();

  @GuardedBy("lock")
  private final BitSet taken = new BitSet(RequestIdentity.PLACES);

  @GuardedBy("lock")
  private final TreeSet<Long> incomplete = new TreeSet<>();

  @GuardedBy("lock")
  private long last;

  /**
   * A request's number.
   *
   * @param firstIncomplete the lowest number of a call under way, this one included
   */
  record Taken(long sequence, long firstIncomplete) {}

  /**
   * The number of a call that begins now.
   *
   * @throws InvocationException if no place became free in time
   */
  Taken take(long timeoutNanos) {
    lock.lock();
    try {
      long left = timeoutNanos;
      while (incomplete.size() == RequestIdentity.PLACES && left > 0) {
        left = freed.awaitNanos(left);
      }
      if (incomplete.size() == RequestIdentity.PLACES) {
        throw notBegun(
            RequestIdentity.PLACES
                + " calls of this client were under way for "
                + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                + " ms: use more clients, or a shorter deadline.",
            null);
      }
      do {
        last++;
      } while (taken.get(place(last)));
      taken.set(place(last));
      incomplete.add(last);
      return new Taken(last, incomplete.first());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notBegun("The caller was interrupted.", e);
    } finally {
      lock.unlock();
    }
  }

  /** The call of that number is over. */
  void release(long sequence) {
    lock.lock();
    try {
      if (incomplete.remove(sequence)) {
        taken.clear(place(sequence));
        freed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private static int place(long sequence) {
    return (int) (sequence % RequestIdentity.PLACES);
  }

  private static InvocationException notBegun(String message, @Nullable Throwable cause) {
    return new InvocationException(Outcome.NOT_EXECUTED, message, cause);
  }
}
