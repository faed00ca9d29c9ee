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
import org.jspecify.annotations.Nullable;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.wire.capture.CaptureCounts;
import org.terrace.wire.capture.CaptureFilter;
import org.terrace.wire.capture.CaptureMethod;
import org.terrace.wire.capture.CaptureOptions;
import org.terrace.wire.capture.PacketCapture;

/**
 * What capturing costs: datagrams over loopback at a fixed rate, seen by each method in turn, and
 * by none.
 *
 * <p>The processor time of a method is that of its threads here and of its child process; what the
 * kernel does for it while a packet is sent is in the time of the sender, beside that of a sender
 * nobody watches.
 */
public final class CaptureBench {
  private static final String FROM = "127.12.70.1";
  private static final String TO = "127.12.70.2";
  private static final int PAYLOAD_BYTES = 300;
  private static final int BATCHES_A_SECOND = 1000;
  private static final long NANOS_A_SECOND = 1_000_000_000L;
  private static final Set<String> CAPTURE_THREADS = Set.of("packet-capture", "tcpdump", "dumpcap");

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final TimeSource time = TimeSource.system();

  /**
   * One measurement.
   *
   * @param subject the method, {@code none} for a sender that nobody watches
   * @param sent datagrams
   * @param written packets in the file
   * @param dropped packets the ring had no room for
   * @param captureMicrosAPacket processor time of the capturing threads and processes
   * @param senderMicrosAPacket processor time of the sending thread, the kernel's part included
   * @param skipped why there is no figure, if there is none
   */
  public record Row(
      String subject,
      long sent,
      long written,
      long dropped,
      double captureMicrosAPacket,
      double senderMicrosAPacket,
      @Nullable String skipped) {}

  /** Measures all methods; arguments: packets a second (30000), seconds each (5). */
  public static void main(String[] arguments) throws Exception {
    int rate = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 30_000;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    System.out.printf(
        "%-10s %9s %9s %8s %16s %16s%n",
        "method", "sent", "written", "dropped", "capture us/pkt", "sender us/pkt");
    for (Row row : new CaptureBench().run(rate, seconds)) {
      System.out.printf(
          "%-10s %9d %9d %8d %16.2f %16.2f %s%n",
          row.subject(),
          row.sent(),
          row.written(),
          row.dropped(),
          row.captureMicrosAPacket(),
          row.senderMicrosAPacket(),
          row.skipped() == null ? "" : row.skipped());
    }
  }

  /** Measures a sender alone and then every method, each for so many seconds. */
  public List<Row> run(int packetsASecond, int seconds) throws IOException {
    send(packetsASecond, 1);
    List<Row> rows = new ArrayList<>();
    rows.add(alone(packetsASecond, seconds));
    for (CaptureMethod method :
        List.of(CaptureMethod.BUILT_IN, CaptureMethod.TCPDUMP, CaptureMethod.DUMPCAP)) {
      rows.add(measure(method, packetsASecond, seconds));
    }
    return rows;
  }

  private Row alone(int packetsASecond, int seconds) throws IOException {
    long cpu = threads.getCurrentThreadCpuTime();
    int sent = send(packetsASecond, seconds);
    double micros = (threads.getCurrentThreadCpuTime() - cpu) / 1e3 / sent;
    return new Row("none", sent, 0, 0, 0, micros, null);
  }

  private Row measure(CaptureMethod method, int packetsASecond, int seconds) throws IOException {
    String subject = method.name().toLowerCase(Locale.ROOT).replace('_', '-');
    Path file = Files.createTempFile("terrace-capture-bench", ".pcapng");
    CaptureOptions options =
        CaptureOptions.to(file)
            .withMethod(method)
            .withFilter(CaptureFilter.networks("127.12.70.0/24"));
    try (PacketCapture capture = PacketCapture.open(options)) {
      long cpu = threads.getCurrentThreadCpuTime();
      int sent = send(packetsASecond, seconds);
      double sender = (threads.getCurrentThreadCpuTime() - cpu) / 1e3 / sent;
      double captureMicros = captureCpuNanos() / 1e3 / Math.max(1, capture.counts().written());
      capture.close();
      CaptureCounts counts = capture.counts();
      return new Row(
          subject, sent, counts.written(), counts.dropped(), captureMicros, sender, null);
    } catch (TerraceException e) {
      return new Row(subject, 0, 0, 0, 0, 0, e.getMessage());
    } finally {
      Files.deleteIfExists(file);
    }
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
  private int send(int packetsASecond, int seconds) throws IOException {
    int batch = packetsASecond / BATCHES_A_SECOND;
    int total = packetsASecond * seconds / batch * batch;
    ByteBuffer datagram = ByteBuffer.allocateDirect(PAYLOAD_BYTES);
    try (DatagramChannel receiver = DatagramChannel.open();
        DatagramChannel sender = DatagramChannel.open()) {
      receiver.bind(new InetSocketAddress(InetAddress.ofLiteral(TO), 0));
      sender.bind(new InetSocketAddress(InetAddress.ofLiteral(FROM), 0));
      sender.connect(receiver.getLocalAddress());
      long start = time.elapsedNanos();
      for (int sent = 0; sent < total; sent += batch) {
        long due = start + sent * (NANOS_A_SECOND / packetsASecond);
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
