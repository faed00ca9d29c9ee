package org.terrace.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.capture.AddressPrefix;
import org.terrace.capture.CaptureCounts;
import org.terrace.capture.CaptureFilter;
import org.terrace.capture.CaptureMethod;
import org.terrace.capture.CaptureOptions;
import org.terrace.capture.PacketCapture;
import org.terrace.cli.input.DurationConverter;
import org.terrace.cli.output.CaptureTarget;
import org.terrace.core.CountedNoun;
import org.terrace.core.ErrorCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code terrace capture}: records packets to a file until it is told to stop. */
@Command(
    name = "capture",
    description = "Records the packets of an interface into a pcapng file, with drop counts.",
    footer = {
      "",
      "Examples:",
      "  terrace capture --interface eth0 --port 8080 --for 1m --out slow.pcapng",
      "  terrace capture --net 127.0.0.0/16 --name 127.0.2.1=app1",
      "  terrace analyze slow.pcapng"
    })
final class CaptureCommand implements Callable<Integer> {
  private static final int REPORT_EVERY_SECONDS = 1;

  @Option(names = "--interface", defaultValue = "lo", description = "default: ${DEFAULT-VALUE}")
  private String interfaceName = "lo";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "the file, which must be new; default: capture.pcapng, numbered")
  private @Nullable Path output;

  @Option(names = "--replace", description = "write over the file in --out")
  private boolean replace;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "how long, for example 30s; default: until Ctrl-C")
  private @Nullable Duration length;

  @Option(names = "--net", paramLabel = "NET", description = "keep only packets of this network")
  private List<String> networks = List.of();

  @Option(names = "--port", paramLabel = "PORT", description = "keep only packets of this port")
  private List<Integer> ports = List.of();

  @Option(
      names = "--name",
      paramLabel = "ADDRESS=NAME",
      description = "a server's name, kept in the file")
  private Map<String, String> names = new LinkedHashMap<>();

  @Option(
      names = "--method",
      defaultValue = "automatic",
      description = "one of: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}")
  private CaptureMethod method = CaptureMethod.AUTOMATIC;

  @Option(names = "--snap-length", paramLabel = "BYTES", description = "bytes kept of a packet")
  private int snapLength = CaptureOptions.MAXIMUM_SNAP_LENGTH;

  @Option(names = "--json", description = "the counts as JSON on standard output")
  private boolean json;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws InterruptedException {
    CaptureFilter filter =
        new CaptureFilter(networks.stream().map(AddressPrefix::parse).toList(), ports);
    Path file = CaptureTarget.choose(output, replace);
    CaptureOptions options =
        CaptureOptions.to(file)
            .withInterface(interfaceName)
            .withSnapLength(snapLength)
            .withNames(names)
            .withFilter(filter)
            .withMethod(method);
    CountDownLatch asked = new CountDownLatch(1);
    PacketCapture capture = PacketCapture.open(options);
    Terrace.endInputOnInterrupt(asked::countDown);
    try (capture) {
      console.message("Capturing on %s to %s", interfaceName, file);
      wait(capture, asked);
    } finally {
      console.endProgress();
    }
    CaptureCounts counts = capture.counts();
    print(counts, file);
    if (counts.dropped() > 0) {
      console.failure(
          "Failed: %s %s dropped"
              .formatted(
                  CountedNoun.of(counts.dropped(), "packet"),
                  counts.dropped() == 1 ? "was" : "were"));
    }
    return counts.dropped() == 0 ? 0 : ErrorCode.CHECK_FAILED.exitCode();
  }

  private void wait(PacketCapture capture, CountDownLatch asked) throws InterruptedException {
    long seconds = length == null ? Long.MAX_VALUE : Math.max(1, length.toSeconds());
    for (long second = 0; second < seconds; second++) {
      if (asked.await(REPORT_EVERY_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
      CaptureCounts counts = capture.counts();
      console.progress("%,d packets, %,d dropped", counts.received(), counts.dropped());
    }
  }

  private void print(CaptureCounts counts, Path file) {
    if (json) {
      System.out.printf(
          "{\"received\": %d, \"dropped\": %d, \"written\": %d, \"bytes\": %d}%n",
          counts.received(), counts.dropped(), counts.written(), counts.bytes());
    } else {
      console.message(
          "%,d packets in %s, %,d bytes; %,d dropped",
          counts.written(), file, counts.bytes(), counts.dropped());
    }
  }
}
