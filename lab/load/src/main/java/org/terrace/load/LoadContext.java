package org.terrace.load;

import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.load.mix.Mix;
import org.terrace.load.page.BoardForms;
import org.terrace.load.page.ReadBuffers;
import org.terrace.load.page.SourcePorts;

/** The state that all users of one run of load share. Thread-safe. */
final class LoadContext {
  private final LoadPlan plan;
  private final Mix mix;
  private final List<SourcePorts> sources;
  private final TimeSource clock;
  private final LoadMeter meter;
  private final ReadBuffers buffers = new ReadBuffers();
  private final BoardForms.FreshNames names;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong reconnects = new AtomicLong();
  private final AtomicLong detours = new AtomicLong();
  private final AtomicLong sessions = new AtomicLong();
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean stopping;

  LoadContext(
      LoadPlan plan, Mix mix, List<SourcePorts> sources, TimeSource clock, LoadMeter meter) {
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

  ReadBuffers buffers() {
    return buffers;
  }

  BoardForms.FreshNames names() {
    return names;
  }

  /** The local ports of a user's connections; null when the operating system may choose. */
  @Nullable SourcePorts source(int user) {
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
}
