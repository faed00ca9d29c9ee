package org.terrace.capture;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.wire.file.PcapngWriter;

/**
 * The built-in capture: one thread moves packets from the kernel's ring to the file.
 *
 * <p>That thread owns ring and file from its start to its end; other threads see the counts, which
 * it publishes after each block, and set the flag that ends it.
 */
final class RingCapture implements PacketCapture {
  static final String THREAD_NAME = "packet-capture";

  private static final int POLL_MILLIS = PacketRing.RETIRE_MILLIS;
  private static final long DRAIN_LIMIT_NANOS = 5_000_000_000L;
  private static final long FLUSH_NANOS = 500_000_000L;

  private final CaptureOptions options;
  private final TimeSource time;
  private final PacketRing ring;
  private final PcapngWriter file;
  private final long startEpochNanos;
  private final Thread owner;
  private final ShutdownClose shutdownClose = new ShutdownClose(this);
  private volatile boolean closing;
  private volatile CaptureCounts counts = new CaptureCounts(0, 0, 0, 0, 0);
  private volatile @Nullable RuntimeException failure;
  private long lastFlushNanos;

  /** Packets that the kernel counted and never handed over. */
  private long withheld;

  private RingCapture(CaptureOptions options, TimeSource time, PacketRing ring, PcapngWriter file) {
    this.options = options;
    this.time = time;
    this.ring = ring;
    this.file = file;
    this.startEpochNanos = time.epochNanos();
    this.owner = Thread.ofPlatform().name(THREAD_NAME).daemon(true).unstarted(this::run);
  }

  /** Opens ring and file and starts the thread. */
  static RingCapture start(CaptureOptions options, TimeSource time) {
    NetworkInterfaceFacts link = NetworkInterfaceFacts.of(options.interfaceName());
    if (!link.up()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "capture: the network interface %s is down: run 'sudo ip link set %s up'"
              .formatted(link.name(), link.name()));
    }
    PacketRing ring =
        PacketRing.open(link, options.ringBytes(), options.filter(), options.snapLength());
    try {
      PcapngWriter file = CaptureFile.create(options, link.linkType());
      RingCapture capture = new RingCapture(options, time, ring, file);
      capture.owner.start();
      capture.shutdownClose.register();
      return capture;
    } catch (IOException e) {
      ring.close();
      throw unwritable(options.output(), e);
    }
  }

  static TerraceException unwritable(Path output, IOException cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        "capture: %s cannot be written (%s): expected a file in a folder that exists and has room"
            .formatted(output, cause),
        cause);
  }

  @Override
  public CaptureCounts counts() {
    return counts;
  }

  @Override
  public CaptureMethod method() {
    return CaptureMethod.BUILT_IN;
  }

  @Override
  public Path output() {
    return options.output();
  }

  @Override
  public void close() {
    closing = true;
    ShutdownClose.join(owner);
    shutdownClose.unregister();
    RuntimeException failed = failure;
    if (failed != null) {
      failure = null;
      throw failed;
    }
  }

  private void run() {
    try (ring;
        file) {
      while (!closing && ring.failure() == null) {
        boolean moved = ring.drain(file, POLL_MILLIS);
        if (!moved || time.elapsedNanos() - lastFlushNanos > FLUSH_NANOS) {
          flush();
        }
      }
      // An interface that goes down while the capture is being closed takes nothing from it.
      String ended = closing ? null : ring.failure();
      drainRest();
      file.finish(startEpochNanos, time.epochNanos(), counts.received(), counts.dropped());
      publish();
      if (ended != null) {
        failure = endedEarly(ended);
      }
    } catch (IOException e) {
      failure = unwritable(options.output(), e);
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private TerraceException endedEarly(String what) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "capture: the network interface %s %s; %s holds the packets until then"
            .formatted(options.interfaceName(), what, options.output()));
  }

  /**
   * Shuts the door, then writes every packet that was let in: the kernel hands over its last,
   * partly filled block within two retirement times, also of an interface that went down. A packet
   * that it keeps for longer counts as dropped.
   */
  private void drainRest() throws IOException {
    ring.stop();
    long deadline = time.elapsedNanos() + DRAIN_LIMIT_NANOS;
    ring.readStatistics();
    while (file.packets() < ring.received() - ring.dropped() && time.elapsedNanos() < deadline) {
      ring.drain(file, POLL_MILLIS);
      ring.readStatistics();
    }
    withheld = Math.max(0, ring.received() - ring.dropped() - file.packets());
    flush();
  }

  private void flush() throws IOException {
    lastFlushNanos = time.elapsedNanos();
    file.flush();
    ring.readStatistics();
    publish();
  }

  private void publish() {
    counts =
        new CaptureCounts(
            Math.max(ring.received(), file.packets()),
            ring.dropped() + withheld,
            file.packets(),
            file.packetBytes(),
            file.fileBytes());
  }
}
