package org.terrace.evidence.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.terrace.observation.EventKinds;

/** The sources that a Linux host has, made from the folders that its kernel shows. Stateless. */
final class HostSources {
  /** Sources whose files are long, or count in hundredths of a second, are read less often. */
  static final int SLOW_MILLIS = 100;

  static final String UTILISATION = "cpu-utilisation";
  static final String DIRTY = "dirty-bytes";

  private static final double PAGE = 4096;
  private static final Map<String, String> PRESSURES =
      Map.of(
          "cpu", EventKinds.CPU_PRESSURE,
          "memory", EventKinds.MEMORY_PRESSURE,
          "io", EventKinds.IO_PRESSURE);

  private HostSources() {}

  /** Something that may be shown. */
  interface Opening {
    HostSource open() throws IOException;
  }

  /**
   * A source to look at.
   *
   * @param name what it tells
   * @param opening opens it, or fails where the host has no such file
   */
  record Offered(String name, Opening opening) {}

  /** Everything to look at on a host; some of it may not be there. */
  static List<Offered> of(Path proc, Path sys, String node) {
    List<Offered> all = new ArrayList<>();
    PRESSURES.forEach((of, kind) ->
        all.add(
            new Offered(
                "pressure of " + of,
                () -> new Pressure(proc.resolve("pressure/" + of), node, kind))));
    all.add(new Offered("steal", () -> new Processors(proc.resolve("stat"), node)));
    all.add(new Offered("run delay", () -> new RunDelay(proc.resolve("schedstat"), node)));
    all.add(new Offered("frequency", () -> new Frequency(sys.resolve("devices/system/cpu"), node)));
    all.add(
        new Offered(
            "dirty pages, write-back and reclaim", () -> new Memory(proc.resolve("vmstat"), node)));
    all.add(
        new Offered("listen overflows", () -> new Listening(proc.resolve("net/netstat"), node)));
    return all;
  }

  private static IOException lacks(Path file, String what) {
    return new IOException(file + " has no " + what);
  }

  /** The share of time in which some thread waited for a resource (PSI, since Linux 4.20). */
  static final class Pressure extends HostSource {
    private static final byte[] SOME = KernelText.name("some");
    private final OpenKernelFile file;
    private final String node;
    private final String resource;
    private long before;

    Pressure(Path path, String node, String resource) throws IOException {
      super(0);
      file = open(path);
      this.node = node;
      this.resource = resource;
      if (file.read().pressureMicros(SOME) < 0) {
        throw lacks(path, "line of some threads");
      }
    }

    @Override
    void read(long passedNanos, Readings readings) throws IOException {
      long now = file.read().pressureMicros(SOME);
      if (passedNanos > 0 && now >= before) {
        readings.take(node, resource, Math.min(1, (now - before) * 1e3 / passedNanos));
      }
      before = now;
    }
  }

  /** Utilisation and steal, as shares of all processors. */
  static final class Processors extends HostSource {
    private static final byte[] ALL = KernelText.name("cpu");
    private static final int FIELDS = 8;
    private static final int IDLE = 3;
    private static final int WAIT = 4;
    private static final int STEAL = 7;

    private final OpenKernelFile file;
    private final String node;
    private long[] before = new long[FIELDS];

    Processors(Path path, String node) throws IOException {
      super(SLOW_MILLIS);
      file = open(path);
      this.node = node;
      if (file.read().column(ALL, STEAL) < 0) {
        throw lacks(path, "column of stolen time");
      }
    }

    @Override
    void read(long passedNanos, Readings readings) throws IOException {
      KernelText text = file.read();
      long[] now = new long[FIELDS];
      double total = 0;
      for (int field = 0; field < FIELDS; field++) {
        now[field] = text.column(ALL, field);
        total += now[field] - before[field];
      }
      if (passedNanos > 0 && total > 0) {
        double stolen = now[STEAL] - before[STEAL];
        double unused = now[IDLE] - before[IDLE] + now[WAIT] - before[WAIT] + stolen;
        readings.take(node, UTILISATION, Math.clamp((total - unused) / total, 0, 1));
        readings.take(node, EventKinds.CPU_STEAL, Math.clamp(stolen / total, 0, 1));
      }
      before = now;
    }
  }

  /** The threads that were ready and waited for a processor, on average, for each processor. */
  static final class RunDelay extends HostSource {
    private static final byte[] PROCESSOR = KernelText.name("cpu");

    /** The column of the time that threads waited, in nanoseconds: the eighth of a processor. */
    private static final int WAITED = 7;

    private final OpenKernelFile file;
    private final String node;
    private final int processors = Runtime.getRuntime().availableProcessors();
    private long before;

    RunDelay(Path path, String node) throws IOException {
      super(0);
      file = open(path);
      this.node = node;
      if (file.read().sumOfColumns(PROCESSOR, WAITED) < 0) {
        throw lacks(path, "column of waited time");
      }
    }

    @Override
    void read(long passedNanos, Readings readings) throws IOException {
      long now = file.read().sumOfColumns(PROCESSOR, WAITED);
      if (passedNanos > 0 && now >= before) {
        readings.take(
            node, EventKinds.RUN_DELAY, (double) (now - before) / passedNanos / processors);
      }
      before = now;
    }
  }

  /** The speed of the processors, as a share of what they can at most, on average. */
  static final class Frequency extends HostSource {
    private final List<OpenKernelFile> current = new ArrayList<>();
    private final String node;
    private double most;

    Frequency(Path folder, String node) throws IOException {
      super(0);
      this.node = node;
      for (int cpu = 0; Files.isDirectory(folder.resolve("cpu" + cpu)); cpu++) {
        Path scaling = folder.resolve("cpu" + cpu).resolve("cpufreq");
        if (Files.exists(scaling.resolve("scaling_cur_freq"))) {
          current.add(open(scaling.resolve("scaling_cur_freq")));
          try (OpenKernelFile maximum = new OpenKernelFile(scaling.resolve("cpuinfo_max_freq"))) {
            most += Math.max(0, maximum.read().number());
          }
        }
      }
      if (current.isEmpty() || most == 0) {
        throw new IOException(folder + " has no cpufreq: a virtual machine is not told");
      }
    }

    @Override
    void read(long passedNanos, Readings readings) throws IOException {
      double now = 0;
      for (OpenKernelFile file : current) {
        now += Math.max(0, file.read().number());
      }
      if (passedNanos > 0) {
        readings.take(node, EventKinds.FREQUENCY_LOW, now / most);
      }
    }
  }

  /** Bytes that wait to be written, bytes being written, and how often memory had to be freed. */
  static final class Memory extends HostSource {
    private static final byte[] DIRTY_PAGES = KernelText.name("nr_dirty");
    private static final byte[] WRITTEN = KernelText.name("nr_writeback");
    private static final List<byte[]> RECLAIMS =
        List.of(
            KernelText.name("allocstall_dma32"),
            KernelText.name("allocstall_normal"),
            KernelText.name("allocstall_movable"),
            KernelText.name("pswpin"),
            KernelText.name("pswpout"),
            KernelText.name("compact_stall"));

    private final OpenKernelFile file;
    private final String node;
    private long before;

    Memory(Path path, String node) throws IOException {
      super(SLOW_MILLIS);
      file = open(path);
      this.node = node;
      if (file.read().field(DIRTY_PAGES) < 0) {
        throw lacks(path, "nr_dirty");
      }
    }

    @Override
    void read(long passedNanos, Readings readings) throws IOException {
      KernelText text = file.read();
      long reclaims = 0;
      for (byte[] name : RECLAIMS) {
        reclaims += Math.max(0, text.field(name));
      }
      if (passedNanos > 0) {
        readings.take(node, DIRTY, Math.max(0, text.field(DIRTY_PAGES)) * PAGE);
        readings.take(node, EventKinds.WRITEBACK, Math.max(0, text.field(WRITTEN)) * PAGE);
        readings.take(node, EventKinds.MEMORY_RECLAIM, Math.max(0, (double) (reclaims - before)));
      }
      before = reclaims;
    }
  }

  /** Connections that were lost because a queue of a listening socket was full. */
  static final class Listening extends HostSource {
    private static final byte[] TCP = KernelText.name("TcpExt:");
    private static final byte[] OVERFLOWS = KernelText.name("ListenOverflows");
    private static final byte[] REQUESTS = KernelText.name("TCPReqQFullDrop");

    private final OpenKernelFile file;
    private final String node;
    private long before;

    Listening(Path path, String node) throws IOException {
      super(SLOW_MILLIS);
      file = open(path);
      this.node = node;
      if (file.read().below(TCP, OVERFLOWS) < 0) {
        throw lacks(path, "ListenOverflows");
      }
    }

    @Override
    void read(long passedNanos, Readings readings) throws IOException {
      KernelText text = file.read();
      long now = text.below(TCP, OVERFLOWS) + Math.max(0, text.below(TCP, REQUESTS));
      if (passedNanos > 0) {
        readings.take(node, EventKinds.LISTEN_OVERFLOW, Math.max(0, (double) (now - before)));
      }
      before = now;
    }
  }
}
