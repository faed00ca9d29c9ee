package org.terrace.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.terrace.capture.CaptureFilter;
import org.terrace.capture.CaptureMethod;
import org.terrace.capture.CaptureOptions;
import org.terrace.capture.PacketCapture;
import org.terrace.core.Percentiles;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * The benchmark of capturing: datagrams over loopback at a fixed rate, seen by each method in turn,
 * and by none.
 *
 * <p>The processor time of a method is that of its threads here and of its child process; what the
 * kernel does for it while a packet is sent is in the time of the sender, beside that of a sender
 * nobody watches.
 */
public final class CaptureBench {
  private static final String FROM = "127.12.70.1";
  private static final String TO = "127.12.70.2";
  private static final int PAYLOAD_BYTES = 300;
  private static final int PACKETS_A_SECOND = 30_000;
  private static final int SECONDS = 8;
  private static final int QUICK_SECONDS = 3;
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 3;
  private static final int BATCHES_A_SECOND = 1000;
  private static final long NANOS_A_SECOND = 1_000_000_000L;
  private static final double NANOS_A_MICRO = 1e3;
  private static final String CAPTURE = "capture-cpu-per-packet";
  private static final String SENDER = "sender-cpu-per-packet";
  private static final String LOST = "packets-lost";
  private static final String MICROS = "us";
  private static final Set<String> CAPTURE_THREADS = Set.of("packet-capture", "tcpdump", "dumpcap");

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final TimeSource time = TimeSource.system();

  /** The cost and the losses of one capture. */
  private record Run(double captureMicros, double senderMicros, double lostPackets) {}

  /** Runs the benchmark; {@code --json} for JSON, {@code --quick} for a rough answer. */
  public static void main(String[] arguments) throws IOException {
    List<String> flags = List.of(arguments);
    new CaptureBench()
        .report(flags.contains("--quick"))
        .print(System.out, flags.contains("--json"));
  }

  private BenchReport report(boolean quick) throws IOException {
    int seconds = quick ? QUICK_SECONDS : SECONDS;
    int runs = quick ? QUICK_RUNS : RUNS;
    send(1);
    double[] alone = new double[runs];
    for (int i = 0; i < runs; i++) {
      alone[i] = sendTimed(seconds);
    }
    List<BenchReport.Row> rows = new ArrayList<>();
    rows.add(BenchReport.Row.measured("unwatched", "", SENDER, MICROS, alone));
    List<BenchReport.Goal> goals = new ArrayList<>();
    for (CaptureMethod method :
        List.of(CaptureMethod.BUILT_IN, CaptureMethod.TCPDUMP, CaptureMethod.DUMPCAP)) {
      String subject = method.name().toLowerCase(Locale.ROOT).replace('_', '-');
      try {
        List<Run> measured = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
          measured.add(measure(method, seconds));
        }
        double[] cost = measured.stream().mapToDouble(Run::captureMicros).toArray();
        double[] lost = measured.stream().mapToDouble(Run::lostPackets).toArray();
        double[] sender = measured.stream().mapToDouble(Run::senderMicros).toArray();
        rows.add(BenchReport.Row.measured(subject, "", CAPTURE, MICROS, cost));
        rows.add(BenchReport.Row.measured(subject, "", SENDER, MICROS, sender));
        rows.add(BenchReport.Row.measured(subject, "", LOST, "packets", lost));
        if (method == CaptureMethod.BUILT_IN) {
          goals.add(
              BenchReport.Goal.atMost("built-in-cpu-us-per-packet", Percentiles.median(cost), 1));
          goals.add(BenchReport.Goal.atMost("built-in-lost-packets", Percentiles.median(lost), 0));
        }
      } catch (TerraceException e) {
        rows.add(BenchReport.Row.skipped(subject, CAPTURE, MICROS, String.valueOf(e.getMessage())));
      }
    }
    return BenchReport.of("capture", rows, goals);
  }

  private Run measure(CaptureMethod method, int seconds) throws IOException {
    Path file = Files.createTempFile("terrace-capture-bench", ".pcapng");
    CaptureOptions options =
        CaptureOptions.to(file)
            .withMethod(method)
            .withFilter(CaptureFilter.networks("127.12.70.0/24"));
    PacketCapture capture = PacketCapture.open(options);
    double senderMicros;
    double captureMicros;
    try (capture) {
      senderMicros = sendTimed(seconds);
      captureMicros = captureCpuNanos() / NANOS_A_MICRO / Math.max(1, capture.counts().written());
    } finally {
      Files.deleteIfExists(file);
    }
    long sent = (long) PACKETS_A_SECOND * seconds;
    return new Run(captureMicros, senderMicros, sent - capture.counts().written());
  }

  /** Sends and returns the sender's processor time in microseconds a packet. */
  private double sendTimed(int seconds) throws IOException {
    long cpu = threads.getCurrentThreadCpuTime();
    int sent = send(seconds);
    return (threads.getCurrentThreadCpuTime() - cpu) / NANOS_A_MICRO / sent;
  }

  /** Processor time so far of the threads and the child process that capture. */
  private long captureCpuNanos() {
    long nanos = 0;
    for (long id : threads.getAllThreadIds()) {
      var info = threads.getThreadInfo(id);
      if (info != null && CAPTURE_THREADS.contains(info.getThreadName())) {
        nanos += threads.getThreadCpuTime(id);
      }
    }
    try (Stream<ProcessHandle> children = ProcessHandle.current().children()) {
      return nanos
          + children
              .flatMap(child -> child.info().totalCpuDuration().stream())
              .mapToLong(Duration::toNanos)
              .sum();
    }
  }

  /** Sends in even batches and returns the number sent. */
  private int send(int seconds) throws IOException {
    int batch = PACKETS_A_SECOND / BATCHES_A_SECOND;
    int total = PACKETS_A_SECOND * seconds;
    ByteBuffer datagram = ByteBuffer.allocateDirect(PAYLOAD_BYTES);
    try (DatagramChannel receiver = DatagramChannel.open();
        DatagramChannel sender = DatagramChannel.open()) {
      receiver.bind(new InetSocketAddress(InetAddress.ofLiteral(TO), 0));
      sender.bind(new InetSocketAddress(InetAddress.ofLiteral(FROM), 0));
      sender.connect(receiver.getLocalAddress());
      long start = time.elapsedNanos();
      for (int sent = 0; sent < total; sent += batch) {
        long due = start + sent * (NANOS_A_SECOND / PACKETS_A_SECOND);
        for (long early = due - time.elapsedNanos(); early > 0; early = due - time.elapsedNanos()) {
          LockSupport.parkNanos(early);
        }
        for (int i = 0; i < batch; i++) {
          sender.write(datagram.clear());
        }
      }
    }
    return total;
  }
}
