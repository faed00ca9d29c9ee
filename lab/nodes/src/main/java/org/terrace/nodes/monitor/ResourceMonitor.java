package org.terrace.nodes.monitor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.terrace.core.TimeSource;
import org.terrace.observation.Sample;

/**
 * A monitor that reads at a fixed interval, on a thread of its own, what each node and the machine
 * use. Thread-safe.
 */
public final class ResourceMonitor implements AutoCloseable {
  /** The most samples that are kept; those beyond are counted. */
  public static final int MAXIMUM_SAMPLES = 2_000_000;

  private final TimeSource time;
  private final long intervalNanos;
  private final MachineSampler machine = new MachineSampler();
  private final List<Watched> watched;
  private final List<Sample> samples = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private final MonitorThreads threads = new MonitorThreads("monitor");
  private final Thread thread;
  private boolean closed;
  private long dropped;

  /**
   * A node to watch.
   *
   * @param cores the cores that it may use
   * @param members its processes at the moment of the call
   * @param group its control group, if it has one: what its processors did is read there
   * @param more further readings of the moment, by resource
   */
  public record Target(
      String name,
      double cores,
      Supplier<List<Long>> members,
      Optional<? extends GroupUse> group,
      Supplier<Map<String, Double>> more) {
    /** A node without a control group and without further readings. */
    public Target(String name, double cores, Supplier<List<Long>> members) {
      this(name, cores, members, Optional.empty(), Map::of);
    }
  }

  private record Watched(Target target, NodeSampler sampler) {}

  /** Starts to read. */
  public ResourceMonitor(List<Target> targets, Duration interval, TimeSource time) {
    this.time = time;
    this.intervalNanos = interval.toNanos();
    this.watched =
        targets.stream()
            .map(target ->
                new Watched(target, new NodeSampler(target.name(), target.cores(), target.group())))
            .toList();
    this.thread = threads.newThread(this::run);
    thread.start();
  }

  private void run() {
    long next = time.elapsedNanos();
    lock.lock();
    try {
      while (!closed) {
        read();
        next += intervalNanos;
        // Readings that were missed are not made up for: they would be of no time.
        next += Math.max(0, (time.elapsedNanos() - next) / intervalNanos) * intervalNanos;
        long wait = next - time.elapsedNanos();
        while (wait > 0 && !closed) {
          wait = closing.awaitNanos(wait);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    machine.read(time.epochNanos(), this::keep);
    for (Watched node : watched) {
      List<Long> members = node.target().members().get();
      long now = time.epochNanos();
      node.sampler().read(members, time.elapsedNanos(), now, this::keep);
      node.target()
          .more()
          .get()
          .forEach(
              (resource, value) -> keep(new Sample(node.target().name(), resource, now, value)));
    }
  }

  private void keep(Sample sample) {
    if (samples.size() < MAXIMUM_SAMPLES) {
      samples.add(sample);
    } else {
      dropped++;
    }
  }

  /** All readings so far. */
  public List<Sample> samples() {
    lock.lock();
    try {
      return List.copyOf(samples);
    } finally {
      lock.unlock();
    }
  }

  /** The number of readings that were not kept because there were too many. */
  public long dropped() {
    lock.lock();
    try {
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  /** The processor time in nanoseconds that the reading has taken; 0 after its end. */
  public long cpuNanos() {
    return threads.cpuNanos();
  }

  /** Stops to read. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(TimeUnit.NANOSECONDS.toMillis(intervalNanos) + 1_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
