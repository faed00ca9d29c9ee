package org.terrace.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.wire.file.PcapPipe;
import org.terrace.wire.file.PcapngWriter;

/**
 * A capture by {@code tcpdump} or {@code dumpcap}: the program's pcap stream becomes the same
 * pcapng file that the built-in capture writes, with server names in front and drops at the end.
 *
 * <p>The program ends when its standard output does, so it outlives a killed JVM by one packet at
 * most.
 */
final class ChildCapture implements PacketCapture {
  private static final long START_SECONDS = 10;
  private static final long END_SECONDS = 10;
  private static final long FLUSH_NANOS = 500_000_000L;

  private final CaptureOptions options;
  private final CaptureProgram program;
  private final TimeSource time;
  private final Process process;
  private final ProgramMessages messages;
  private final long startEpochNanos;
  private final Thread owner;
  private final ShutdownClose shutdownClose = new ShutdownClose(this);
  private volatile boolean closing;
  private volatile CaptureCounts counts = new CaptureCounts(0, 0, 0, 0, 0);
  private volatile @Nullable RuntimeException failure;

  private ChildCapture(
      CaptureOptions options,
      CaptureProgram program,
      TimeSource time,
      Process process,
      ProgramMessages messages) {
    this.options = options;
    this.program = program;
    this.time = time;
    this.process = process;
    this.messages = messages;
    this.startEpochNanos = time.epochNanos();
    this.owner = Thread.ofPlatform().name(program.program()).daemon(true).unstarted(this::run);
  }

  /** Starts the program and waits until it captures. */
  static ChildCapture start(CaptureOptions options, CaptureProgram program, TimeSource time) {
    NetworkInterfaceFacts link = NetworkInterfaceFacts.of(options.interfaceName());
    requireWritable(options.output());
    Process process = program.start(options, link.loopback());
    ProgramMessages messages = new ProgramMessages(program, process);
    if (!messages.awaitReady(START_SECONDS)) {
      process.destroyForcibly();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "capture: %s could not capture on %s (%s); if it lacks the right, grant it: %s"
              .formatted(
                  program.program(),
                  options.interfaceName(),
                  messages.text(),
                  program.grant().orElse("run as root")));
    }
    ChildCapture capture = new ChildCapture(options, program, time, process, messages);
    capture.owner.start();
    capture.shutdownClose.register();
    return capture;
  }

  /** Told now, since the file's first bytes wait for the program's. */
  private static void requireWritable(Path output) {
    try {
      Files.newOutputStream(output).close();
    } catch (IOException e) {
      throw RingCapture.unwritable(output, e);
    }
  }

  @Override
  public CaptureCounts counts() {
    return counts;
  }

  @Override
  public CaptureMethod method() {
    return program.method();
  }

  @Override
  public Path output() {
    return options.output();
  }

  @Override
  public void close() {
    if (!closing) {
      closing = true;
      // What the kernel has not handed to the program yet would be lost with it.
      if (!waitForEnd(program.retireMillis(), TimeUnit.MILLISECONDS)) {
        terminate();
      }
    }
    if (!waitForEnd(END_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    ShutdownClose.join(owner);
    shutdownClose.unregister();
    RuntimeException failed = failure;
    if (failed != null) {
      failure = null;
      throw failed;
    }
  }

  /** By its handle: the process itself would also close the stream that is still to be read. */
  private void terminate() {
    process.toHandle().destroy();
  }

  private boolean waitForEnd(long amount, TimeUnit unit) {
    try {
      return process.waitFor(amount, unit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void run() {
    try (PcapPipe stream = PcapPipe.open(process.getInputStream());
        PcapngWriter file = CaptureFile.create(options, stream.linkType())) {
      long lastFlushNanos = time.elapsedNanos();
      while (stream.copyAvailable(file)) {
        if (time.elapsedNanos() - lastFlushNanos > FLUSH_NANOS || stream.isIdle()) {
          lastFlushNanos = time.elapsedNanos();
          file.flush();
          publish(file, 0);
        }
      }
      file.flush();
      publish(file, messages.dropped());
      file.finish(startEpochNanos, time.epochNanos(), counts.received(), counts.dropped());
      publish(file, messages.dropped());
      if (!closing) {
        failure = endedEarly();
      }
    } catch (IOException e) {
      failure = RingCapture.unwritable(options.output(), e);
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      process.destroy();
    }
  }

  private TerraceException endedEarly() {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "capture: %s ended by itself (%s); %s holds the packets until then"
            .formatted(program.program(), messages.text(), options.output()));
  }

  private void publish(PcapngWriter file, long dropped) {
    counts =
        new CaptureCounts(
            file.packets() + dropped,
            dropped,
            file.packets(),
            file.packetBytes(),
            file.fileBytes());
  }
}
