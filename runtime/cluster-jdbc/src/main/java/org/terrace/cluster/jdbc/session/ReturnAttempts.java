package org.terrace.cluster.jdbc.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attempts to return of the replicas that are out: one for each at a time, and none after the
 * end. Attempts are told so without a lock, as they may wait for who asks for one. Thread-safe.
 *
 * @param <A> an attempt
 */
final class ReturnAttempts<A extends ReturnAttempts.Attempt> {
  /** Something that can be told to give up. */
  @FunctionalInterface
  interface Attempt {
    void end();
  }

  private final Map<Integer, A> underWay = new HashMap<>();
  private boolean ended;

  /** Puts an attempt in the place of a replica's last; false: it is too late for any. */
  boolean begin(int replica, A attempt) {
    A before;
    synchronized (underWay) {
      if (ended) {
        return false;
      }
      before = underWay.put(replica, attempt);
    }
    if (before != null) {
      before.end();
    }
    return true;
  }

  /** A replica's attempt; null: it makes none. */
  @Nullable A find(int replica) {
    synchronized (underWay) {
      return underWay.get(replica);
    }
  }

  /** Takes out the attempt of a replica that is back. */
  @Nullable A remove(int replica) {
    synchronized (underWay) {
      return underWay.remove(replica);
    }
  }

  /** Ends all, and lets none begin any more. */
  void end() {
    List<A> ending;
    synchronized (underWay) {
      ended = true;
      ending = List.copyOf(underWay.values());
      underWay.clear();
    }
    ending.forEach(Attempt::end);
  }
}
