package org.terrace.middleware.terrace;

import java.util.concurrent.Semaphore;

/**
 * The places of a listener: as many for connections that carry calls as for those that carry pings,
 * and some more, so that calls never keep a replica from being found alive. Connections that have
 * not said yet which they are have some on top. Thread-safe.
 */
final class Places {
  private static final int UNNAMED_MAX = 256;

  /** For those who only see whether the replica is there. */
  private static final int CHECKS_MAX = 64;

  private final Semaphore calls;
  private final Semaphore controls;
  private final int connectionsMax;

  Places(int eachMax) {
    calls = new Semaphore(eachMax);
    controls = new Semaphore(eachMax + CHECKS_MAX);
    connectionsMax = (int) Math.min(2L * eachMax + CHECKS_MAX + UNNAMED_MAX, Integer.MAX_VALUE);
  }

  /** The most connections that there may be in all. */
  int connectionsMax() {
    return connectionsMax;
  }

  /** The places of one kind of connection. */
  Semaphore of(Frames.Hello hello) {
    return hello.control() ? controls : calls;
  }
}
