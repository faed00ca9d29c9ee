package org.terrace.evidence.host;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.evidence.host.HostSources.Offered;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Sample;

/**
 * A watch of a Linux host: what its kernel withheld, read at tens of milliseconds, as samples and
 * events in files. The samples are written while they are taken, so memory is bounded; both files
 * appear whole once the watch ends, by its time or by {@link #stop()}.
 *
 * <p>What the host does not show is an event too. One thread runs a watch; any may stop it.
 */
public final class HostWatch {
  /** At most this many events are kept; what happens beyond is counted. */
  static final int MOST_EVENTS = 1_000_000;

  private static final double NANOS_PER_SECOND = 1e9;

  private final WatchOptions options;
  private final TimeSource time;
  private final Path proc;
  private final Path sys;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final List<HostSource> sources = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<String, String> notVisible = new HashMap<>();
  private final Map<String, Map<String, String>> attributesOfNode = new HashMap<>();
  private final Map<String, Long> periodNanosOfNode = new HashMap<>();
  private long droppedEvents;
  private long processorNanos;
  private long watchedNanos;
  private long longestMillis;
  private double steadyShare = Double.NaN;
  private long samples;
  private long ticks;
  private long lateTicks;

  /** A watch that has not begun, of this host. */
  public HostWatch(WatchOptions options, TimeSource time) {
    this(options, time, Path.of("/proc"), Path.of("/sys"));
  }

  /** A watch of a host whose kernel shows itself in other folders than usual. */
  HostWatch(WatchOptions options, TimeSource time, Path proc, Path sys) {
    this.options = options;
    this.time = time;
    this.proc = proc;
    this.sys = sys;
  }

  /** Ends the watch soon; the files are then made whole. */
  public void stop() {
    stopped.countDown();
  }

  /**
   * Watches until the time is over or {@link #stop()} is called, and writes {@code samples.parquet}
   * and {@code events.parquet} into a directory.
   *
   * @throws TerraceException if the host shows nothing at all, or the files cannot be written
   */
  public WatchResult run(Path directory) {
    Spells spells = new Spells(attributesOfNode, this::keep);
    open();
    long startNanos = time.epochNanos();
    try {
      ObservationFiles.writeSamples(
          directory.resolve(ObservationFiles.SAMPLES), () -> new Ticks(spells));
    } finally {
      sources.forEach(HostSource::close);
    }
    spells.finish();
    double seconds = Math.max(1, watchedNanos) / NANOS_PER_SECOND;
    double share = processorNanos / NANOS_PER_SECOND / seconds;
    addSelf(startNanos, share);
    double steady = Double.isNaN(steadyShare) ? share : steadyShare;
    ObservationFiles.writeEvents(directory.resolve(ObservationFiles.EVENTS), events);
    List<String> hidden =
        notVisible.entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue())
            .sorted()
            .toList();
    return new WatchResult(
        samples, events.size(), ticks, lateTicks, longestMillis, seconds, share, steady, hidden);
  }

  private static long processorNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }

  private void keep(Event event) {
    if (events.size() < MOST_EVENTS) {
      events.add(event);
    } else {
      droppedEvents++;
    }
  }

  private void open() {
    for (Offered offered : HostSources.of(proc, sys, options.node())) {
      open(offered.name(), offered.opening());
    }
    openGroups();
    if (sources.isEmpty()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "this host shows nothing to watch below " + proc + "; expected Linux 4.20 or later");
    }
  }

  private void open(String name, HostSources.Opening opening) {
    try {
      sources.add(opening.open());
    } catch (IOException e) {
      notVisible.put(name, String.valueOf(e.getMessage()));
    }
  }

  private void openGroups() {
    Map<Path, String> groups = new HashMap<>();
    for (Path found : GroupThrottling.withQuota(sys.resolve("fs/cgroup"))) {
      groups.put(found, options.node());
    }
    options.groups().forEach((name, folder) -> groups.put(folder, name));
    if (groups.isEmpty()) {
      notVisible.put("throttling", "no control group has a quota that is seen from here");
    }
    groups.forEach((folder, node) -> {
      open("throttling of " + folder, () -> new GroupThrottling(folder, node));
      long periodMicros = GroupThrottling.periodMicros(folder);
      if (periodMicros > 0) {
        attributesOfNode.put(node, Map.of(EventKinds.PERIOD_MICROS, Long.toString(periodMicros)));
        periodNanosOfNode.put(node, periodMicros * 1_000);
      }
    });
  }

  /** Says of the watch itself what it saw, what it could not, and what it cost. */
  private void addSelf(long startNanos, double share) {
    long end = Math.max(startNanos, time.epochNanos());
    events.add(
        new Event(
            options.node(),
            EventKinds.WATCHED,
            startNanos,
            end,
            Map.of(
                "everyMillis", Long.toString(options.every().toMillis()),
                "ticks", Long.toString(ticks),
                "lateTicks", Long.toString(lateTicks),
                "droppedEvents", Long.toString(droppedEvents),
                "coreShare", String.format(Locale.ROOT, "%.4f", share))));
    notVisible.forEach((what, why) ->
        events.add(
            new Event(
                options.node(),
                EventKinds.NOT_VISIBLE,
                startNanos,
                end,
                Map.of(EventKinds.WHAT, what, EventKinds.WHY, why))));
  }

  /** The samples of all readings, each taken when it is asked for. */
  private final class Ticks implements Iterator<Sample> {
    private final Spells spells;
    private final List<Sample> taken = new ArrayList<>();
    private final long endElapsed;
    private final long startElapsed = time.elapsedNanos();
    private final long startProcessor = processorNanos();
    private final WatchPace pace =
        new WatchPace(options.every().toNanos(), startElapsed, startProcessor);
    private long nextElapsed = startElapsed;
    private int given;
    private boolean ended;

    Ticks(Spells spells) {
      this.spells = spells;
      Duration length = options.length();
      endElapsed = length == null ? Long.MAX_VALUE : nextElapsed + length.toNanos();
    }

    @Override
    public boolean hasNext() {
      while (given == taken.size() && !ended) {
        taken.clear();
        given = 0;
        tick();
      }
      return given < taken.size();
    }

    @Override
    public Sample next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      samples++;
      return taken.get(given++);
    }

    private void tick() {
      long wait = nextElapsed - time.elapsedNanos();
      try {
        ended = stopped.await(Math.max(0, wait), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        ended = true;
      }
      long now = time.elapsedNanos();
      ended |= now >= endElapsed && ticks > 0;
      if (ended) {
        watchedNanos = now - startElapsed;
        processorNanos = processorNanos() - startProcessor;
        steadyShare = pace.steadyShare();
        longestMillis = pace.longestMillis();
        return;
      }
      long everyNanos = pace.next(now, processorNanos());
      long late = (now - nextElapsed) / everyNanos;
      lateTicks += Math.max(0, late);
      nextElapsed += (1 + Math.max(0, late)) * everyNanos;
      ticks++;
      read(now, time.epochNanos());
    }

    private void read(long elapsedNanos, long epochNanos) {
      Iterator<HostSource> each = sources.iterator();
      while (each.hasNext()) {
        HostSource source = each.next();
        Reading reading = new Reading(epochNanos);
        try {
          reading.passedNanos = source.readAt(elapsedNanos, reading);
        } catch (IOException e) {
          // A control group was removed with its container.
          source.close();
          each.remove();
          notVisible.putIfAbsent("a source from then on", String.valueOf(e.getMessage()));
        }
        reading.tell();
      }
    }

    /** The values of one source at one moment; for how long they stand is known at the end. */
    private final class Reading implements Readings {
      private final long epochNanos;
      private final List<Sample> read = new ArrayList<>(3);
      private long passedNanos;

      Reading(long epochNanos) {
        this.epochNanos = epochNanos;
      }

      @Override
      public void take(String node, String resource, double value) {
        read.add(new Sample(node, resource, epochNanos, value));
      }

      private void tell() {
        for (Sample sample : read) {
          taken.add(sample);
          long start = epochNanos - stretchNanos(sample);
          spells.take(sample.node(), sample.resource(), start, epochNanos, sample.value());
        }
      }

      /**
       * The time that a sample covers: what a quota withheld is told at its end, and may have begun
       * before the last reading.
       */
      private long stretchNanos(Sample sample) {
        @Nullable Long period = periodNanosOfNode.get(sample.node());
        if (period == null || !sample.resource().equals(EventKinds.CPU_THROTTLED)) {
          return passedNanos;
        }
        long withheld = Math.round(sample.value() * passedNanos);
        return Math.max(passedNanos, Math.min(withheld, period));
      }
    }
  }
}
