package org.terrace.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Watches what a process costs until it ends. Confined to one thread. */
final class ProcessCost {
  private static final int PERIOD_MILLIS = 100;

  private final Process process;
  private Duration cpu = Duration.ZERO;
  private long peakBytes;

  ProcessCost(Process process) {
    this.process = process;
  }

  /** Waits for the end, reading CPU time and peak memory meanwhile, since they vanish with it. */
  void await() throws InterruptedException {
    do {
      cpu = process.info().totalCpuDuration().orElse(cpu);
      peakBytes = Math.max(peakBytes, peakResidentBytes());
    } while (!process.waitFor(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
  }

  private long peakResidentBytes() {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0; // it has just ended
    }
  }

  /** CPU seconds, to within the last tenth of a second of its life. */
  double cpuSeconds() {
    return cpu.toNanos() / 1e9;
  }

  /** The most memory it held, in megabytes of 1,000,000 bytes. */
  double peakMegabytes() {
    return peakBytes / 1e6;
  }
}
