package org.terrace.experiment.load;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;

/** What all users of one run of load share. Thread-safe. */
final class LoadContext {
  private final LoadPlan plan;
  private final Mix mix;
  private final List<InetAddress> sources;
  private final TimeSource clock;
  private final LoadMeter meter;
  private final Watchdog watchdog;
  private final ReadBuffers buffers = new ReadBuffers();
  private final BoardForms.FreshNames names;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong reconnects = new AtomicLong();
  private final AtomicLong detours = new AtomicLong();
  private final AtomicLong sessions = new AtomicLong();
  private final AtomicInteger usersActive = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean stopping;

  LoadContext(
      LoadPlan plan,
      Mix mix,
      List<InetAddress> sources,
      TimeSource clock,
      LoadMeter meter,
      Watchdog watchdog) {
    this.watchdog = watchdog;
    this.plan = plan;
    this.mix = mix;
    this.sources = List.copyOf(sources);
    this.clock = clock;
    this.meter = meter;
    this.names = new BoardForms.FreshNames(clock.epochNanos() / 1_000_000);
  }

  LoadPlan plan() {
    return plan;
  }

  Mix mix() {
    return mix;
  }

  TimeSource clock() {
    return clock;
  }

  LoadMeter meter() {
    return meter;
  }

  Watchdog watchdog() {
    return watchdog;
  }

  ReadBuffers buffers() {
    return buffers;
  }

  BoardForms.FreshNames names() {
    return names;
  }

  /** The local address of a user's connections; null when the operating system may choose. */
  @Nullable InetAddress source(int user) {
    return sources.isEmpty() ? null : sources.get(user % sources.size());
  }

  /** The site of a user's session: sessions take the targets in turn. */
  URI target(int user, int session) {
    return plan.targets().get(Math.floorMod(user + session, plan.targets().size()));
  }

  int nextConnection() {
    return connections.incrementAndGet();
  }

  void countReconnect() {
    reconnects.incrementAndGet();
  }

  long reconnects() {
    return reconnects.get();
  }

  void countDetour() {
    detours.incrementAndGet();
  }

  long detours() {
    return detours.get();
  }

  void countSession() {
    sessions.incrementAndGet();
  }

  long sessions() {
    return sessions.get();
  }

  /** Users that have begun and not ended. */
  AtomicInteger usersActive() {
    return usersActive;
  }

  /** Pages that have been asked for and not recorded. */
  AtomicInteger inFlight() {
    return inFlight;
  }

  /** From now on no user asks for another page. */
  void stop() {
    stopping = true;
  }

  boolean stopping() {
    return stopping;
  }

  /** Waits until a moment of the monotonic clock; false when the load stopped first. */
  boolean awaitUntil(long elapsedNanos) {
    while (!stopping) {
      long left = elapsedNanos - clock.elapsedNanos();
      if (left <= 0) {
        return true;
      }
      LockSupport.parkNanos(this, left);
    }
    return false;
  }
}
