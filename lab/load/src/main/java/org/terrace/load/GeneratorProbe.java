package org.terrace.load;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * The probe of this process's cost to its machine: CPU time, memory and collections. Thread-safe;
 * listens until it is closed.
 */
final class GeneratorProbe implements AutoCloseable {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK_RESIDENT = "VmHWM:";

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final NotificationListener listener = this::onNotification;
  private long collections;
  private long longestMillis;

  GeneratorProbe() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(listener, null, null);
      }
    }
  }

  private synchronized void onNotification(Notification notification, @Nullable Object handback) {
    if (notification.getUserData() instanceof CompositeData data
        && notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      collections++;
      long millis = GarbageCollectionNotificationInfo.from(data).getGcInfo().getDuration();
      longestMillis = Math.max(longestMillis, millis);
    }
  }

  /** Forgets the collections noted so far. */
  synchronized void reset() {
    collections = 0;
    longestMillis = 0;
  }

  /** Collections since the last {@link #reset}. */
  synchronized long collections() {
    return collections;
  }

  /** The longest of them, to the millisecond that the JVM tells. */
  synchronized double longestMicros() {
    return longestMillis * 1000.0;
  }

  /** CPU time of all threads of this process so far, in nanoseconds. */
  long cpuNanos() {
    return system.getProcessCpuTime();
  }

  /** The most memory this process has held, in bytes, or 0 where the kernel does not tell. */
  long peakResidentBytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(PEAK_RESIDENT)) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
    } catch (IOException e) {
      return 0; // no such file on this system
    }
    return 0;
  }

  @Override
  public void close() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        try {
          emitter.removeNotificationListener(listener);
        } catch (ListenerNotFoundException e) {
          throw new IllegalStateException("the listener was added in the constructor", e);
        }
      }
    }
  }
}
