package org.terrace.nodes.monitor;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * The threads of one monitor, and the processor time that they have taken. Threads are daemons.
 * Thread-safe.
 */
public final class MonitorThreads implements ThreadFactory {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final String name;
  private final Set<Long> numbers = ConcurrentHashMap.newKeySet();

  /**
   * Threads of a name, of which there are none yet.
   *
   * @param name what a list of the process's threads calls them
   */
  public MonitorThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable work) {
    Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(work);
    numbers.add(thread.threadId());
    return thread;
  }

  /** Makes something that starts a thread of its own, and counts that as well. */
  <T> T counting(String prefix, Supplier<T> making) {
    Set<Long> before = named(prefix);
    T made = making.get();
    Set<Long> now = named(prefix);
    now.removeAll(before);
    numbers.addAll(now);
    return made;
  }

  private static Set<Long> named(String prefix) {
    Set<Long> found = ConcurrentHashMap.newKeySet();
    for (ThreadInfo each : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (each != null && each.getThreadName().startsWith(prefix)) {
        found.add(each.getThreadId());
      }
    }
    return found;
  }

  /** The processor time, in nanoseconds, of those that have not ended. */
  public long cpuNanos() {
    return numbers.stream()
        .mapToLong(number -> Math.max(0, THREADS.getThreadCpuTime(number)))
        .sum();
  }
}
