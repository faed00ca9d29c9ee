package org.terrace.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import org.terrace.protocols.CaptureReader;
import org.terrace.protocols.ReadOptions;
import org.terrace.wire.CaptureSource;

/**
 * Reads one capture in a JVM of its own and prints the requests found, the processor time of the
 * whole process in nanoseconds, and the peak of the heap in bytes.
 */
final class WireParse {
  private long requests;

  private WireParse() {}

  /** The only argument is the capture. */
  public static void main(String[] arguments) {
    WireParse parse = new WireParse();
    CaptureReader.read(
        CaptureSource.file(Path.of(arguments[0])),
        ReadOptions.defaults(),
        request -> parse.requests++);
    long peakBytes = 0;
    for (MemoryPoolMXBean memory : ManagementFactory.getMemoryPoolMXBeans()) {
      if (memory.getType() == MemoryType.HEAP) {
        peakBytes += memory.getPeakUsage().getUsed();
      }
    }
    long cpuNanos =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    System.out.println(parse.requests + " " + cpuNanos + " " + peakBytes);
  }
}
