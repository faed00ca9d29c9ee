package org.terrace.nodes.monitor;

import java.time.Duration;
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
  private final TimeSource time;
  private final long intervalNanos;
  private final MachineSampler machine = new MachineSampler();
  private final List<Watched> watched;
  private final KeptSamples kept;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private final MonitorThreads threads = new MonitorThreads("monitor");
  private final EarlyEnd early = new EarlyEnd();
  private final Thread thread;
  private boolean closed;

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

  /** Starts to read, into some of this process's heap. */
  public ResourceMonitor(List<Target> targets, Duration interval, TimeSource time) {
    this(targets, interval, time, new KeptSamples(ReadingRoom.ofHeap()));
  }

  /**
   * Starts to read.
   *
   * @param kept takes what is read
   */
  public ResourceMonitor(
      List<Target> targets, Duration interval, TimeSource time, KeptSamples kept) {
    this.time = time;
    this.kept = kept;
    this.intervalNanos = interval.toNanos();
    this.watched =
        targets.stream()
            .map(target ->
                new Watched(target, new NodeSampler(target.name(), target.cores(), target.group())))
            .toList();
    this.thread = threads.newThread(early.noting(this::run));
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
    machine.read(time.epochNanos(), kept::add);
    for (Watched node : watched) {
      List<Long> members = node.target().members().get();
      long now = time.epochNanos();
      node.sampler().read(members, time.elapsedNanos(), now, kept::add);
      node.target()
          .more()
          .get()
          .forEach((resource, value) ->
              kept.add(new Sample(node.target().name(), resource, now, value)));
    }
  }

  /** All that is kept of the readings so far. */
  public List<Sample> samples() {
    return kept.list();
  }

  /** The reason for which it has ended before it was closed; empty if it has not. */
  public Optional<String> failure() {
    return early.reason();
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
